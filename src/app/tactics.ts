import type { LeanGoal } from '../lean/goals/goal.ts';
import type { LeanPool } from '../lean/workers/pool.ts';
import { failure, type Failure, type Goal, type Message } from '../lean/base/protocol.ts';
import { parseNames } from '../lean/base/names.ts';
import { WorkAccount } from '../lean/workbench/account.ts';
import { Workbench, type StepAnswer, type WorkState } from '../lean/workbench/workbench.ts';

/** The outcome of one tactic. */
export type TacticAnswer = { readonly tactic: string } & (
  | {
      readonly ok: true;
      /** Goals left to prove. */
      readonly goals: readonly Goal[];
      /** No goals left, and Lean accepts the whole script. The gate was not asked. */
      readonly closed: boolean;
      readonly messages: readonly Message[];
    }
  | { readonly ok: false; readonly kind: Failure['kind']; readonly message: string }
);

/** The goals before, and the outcome of each tactic, in order. */
export type TacticsTried =
  | {
      readonly ok: true;
      readonly goals: readonly Goal[];
      readonly answers: readonly TacticAnswer[];
      readonly cpuSeconds: number;
    }
  | (Failure & { readonly cpuSeconds: number });

export interface TacticsAsked {
  /** Tactics to run first, one after the other. */
  readonly after: readonly string[];
  /** Each is tried separately from the resulting state. */
  readonly tactics: readonly string[];
  readonly deadlineMs: number;
  readonly heartbeats: number;
  readonly cpuSeconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** Open a goal, go to a state of its first open hole, and try tactics from there. */
export async function tryTactics(pool: LeanPool, goal: LeanGoal, asked: TacticsAsked): Promise<TacticsTried> {
  const signal = asked.signal ?? new AbortController().signal;
  return await pool.use(
    async (lease) => {
      const opened = await Workbench.open(lease, goal, {
        toolchain: pool.toolchain,
        closure: lease.closure,
        signal,
        deadlineMs: asked.deadlineMs,
      });
      if (!opened.ok) return { ...opened.error, cpuSeconds: opened.cost.cpuSeconds };
      const workbench = opened.value;
      const limits = { cpu_seconds: asked.cpuSeconds, heartbeats: asked.heartbeats };
      const account = new WorkAccount({ limits, signal, permit: async () => {} });
      try {
        const tried = await tryFrom(workbench, account, asked);
        return { ...tried, cpuSeconds: opened.cost.cpuSeconds + account.cpuSeconds };
      } finally {
        await workbench.end();
      }
    },
    { preamble: goal.preamble, environment: goal.environment, signal },
  );
}

async function tryFrom(
  workbench: Workbench,
  account: WorkAccount,
  { after, tactics, deadlineMs }: TacticsAsked,
): Promise<Failure | Omit<Extract<TacticsTried, { ok: true }>, 'cpuSeconds'>> {
  let state = workbench.root(0);
  for (const tactic of after) {
    const [answer] = await workbench.run(state, [tactic], account, { until: 'end' });
    if (answer?.kind !== 'state') return failedAfter(tactic, answer, account);
    ({ state } = answer);
  }
  const answers: TacticAnswer[] = [];
  for (const tactic of tactics) {
    const [answer] = await workbench.run(state, [tactic], account, { until: 'end' });
    answers.push({ tactic, ...(await described(workbench, answer, account, deadlineMs)) });
  }
  return { ok: true, goals: state.goals, answers };
}

function failedAfter(tactic: string, answer: StepAnswer | undefined, account: WorkAccount): Failure {
  const { kind, message } = answer?.kind === 'failed' ? answer.failure : stopped(account);
  return failure(kind, `\`${tactic}\`, which comes before: ${message}`);
}

type Described =
  | Omit<Extract<TacticAnswer, { ok: true }>, 'tactic'>
  | Omit<Extract<TacticAnswer, { ok: false }>, 'tactic'>;

async function described(
  workbench: Workbench,
  answer: StepAnswer | undefined,
  account: WorkAccount,
  deadlineMs: number,
): Promise<Described> {
  const refused = answer?.kind === 'failed' ? answer.failure : answer ? undefined : stopped(account);
  if (refused) return { ok: false, kind: refused.kind, message: refused.message };
  if (answer?.kind !== 'state') throw new Error('an answer is a state or a failure');
  const { state } = answer;
  const objection = state.closed ? await objectionTo(workbench, state, account, deadlineMs) : undefined;
  if (objection) return { ok: false, kind: objection.kind, message: objection.message };
  return { ok: true, goals: state.goals, closed: state.closed, messages: state.messages };
}

/** Steps run one by one and without the kernel; here Lean checks the whole script. Other holes may still be open. */
async function objectionTo(
  workbench: Workbench,
  state: WorkState,
  account: WorkAccount,
  deadlineMs: number,
): Promise<Failure | undefined> {
  const { preamble, statement, allowAxioms, holes } = workbench.goal;
  const count = holes.kind === 'statement' ? 1 : workbench.open.length;
  const script = state.tactics.join('\n');
  const scripts = Array.from({ length: count }, (_, hole) => (hole === state.hole ? script : 'sorry'));
  return await workbench.borrow(async (lease) => {
    const loaded = await lease.session(preamble);
    if (!loaded.ok) return loaded;
    const { session } = loaded;
    const proof = workbench.assemble(scripts);
    const body = { session, statement, proof, allow_axioms: parseNames(allowAxioms) };
    const reply = await lease.request('check', body, { deadlineMs, signal: account.signal });
    account.charge(reply.cost);
    return reply.ok || (reply.kind === 'sorry' && count > 1) ? undefined : reply;
  });
}

function stopped({ stopped: why, fault }: WorkAccount): Failure {
  if (why === 'cancelled') return failure('cancelled', 'cancelled');
  if (why === 'broken') return failure('crash', fault ?? 'Lean failed');
  return failure('timeout', 'CPU limit of this request reached');
}
