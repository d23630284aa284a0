import { failed, success, type Failed, type Result } from '../../core/result.ts';
import type { Ticket, TicketKind } from '../../shared/events.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import { asHave } from '../base/signature.ts';
import { readConstraints } from '../gate/constraints.ts';
import { examineStatement, isOfClass } from './examine.ts';
import { statedAs, theoremOf, ticketGoal, type StatedLemma } from './lemma.ts';
import type { Market, Requested } from './market.ts';
import { fromGiven } from './missing.ts';
import { WorkAccount } from '../workbench/account.ts';
import { Workbench } from '../workbench/workbench.ts';
import { standingOf, type Standing } from './standing.ts';

/** A lemma that a user requests. */
export interface Wish
  extends Standing, Pick<Ticket, 'goal' | 'constraints' | 'priority' | 'requester' | 'dependencies'> {
  /** Name of the theorem, if the goal is only a type. */
  readonly name: string;
  readonly kind?: TicketKind | undefined;
  /** For `refactor`: the proof that is to become shorter. */
  readonly proof?: string | undefined;
  /** Additional context. */
  readonly context?: readonly string[];
}

/** Number of tickets that a new one is compared with, most urgent first, and Lean's limit for each. */
const mostCompared = 20;
const heartbeats = 2000;

/** The name becomes part of Lean's input, so it must not contain anything else. */
const identifier = /^[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*)*$/u;

/**
 * Opens a ticket for a lemma that Lean can read, that no small instance refutes, and whose constraints can be
 * checked. False lemmas are recorded as well: the next request for one gets the counterexample.
 */
export async function postLemma(
  lean: Parameters<typeof examineStatement>[0],
  market: Market,
  { goal, name, preamble, environment, kind = 'lemma', proof, context = [], ...wish }: Wish,
  limits: Parameters<typeof examineStatement>[2] = {},
): Promise<Result<Exclude<Requested, { kind: 'refuted' }>>> {
  if (!identifier.test(name)) return no('bad-name', `${JSON.stringify(name)} is not a name for a theorem`);
  const [unread] = readConstraints(wish.constraints).unread;
  if (unread !== undefined)
    return no(
      'bad-constraint',
      `there is no check for the constraint ${JSON.stringify(unread)}`,
      "Known: noncomputable, '[simp] desirable', and lists after imports:, names:, without:, axioms:.",
    );
  for (const id of wish.dependencies)
    if (!(await market.retrieve(id))) return no('no-ticket', `there is no ticket ${id}`);
  if ((kind === 'refactor') !== (proof !== undefined))
    return no('bad-kind', '--proof is required for --kind refactor, and allowed only there');
  const ground = { preamble, environment };
  const statement = theoremOf({ kind, goal, suggested_name: name });
  const placed = {
    goal,
    kind,
    context: [preamble, ...(proof === undefined ? [] : [proof]), ...context],
    environment: environment ?? null,
  };
  const known = async (goal_hash: string): Promise<boolean> =>
    (await market.same({ ...placed, goal_hash })) !== undefined;
  const examined = await examineStatement(lean, { ...ground, statement }, { ...limits, known });
  if (!examined.ok) return no('bad-statement', examined.error.message);
  if (kind === 'instance' && !(await isOfClass(lean, { ...ground, statement }, limits)))
    return no('bad-statement', 'an instance was requested of something that is not a class');
  if (proof !== undefined) {
    const { verdict, message } = await lean.gate.check({ ...ground, statement, proof }, limits);
    if (verdict !== 'accepted') return no('bad-proof', `the gate does not accept the proof: ${message}`);
  }
  const { goalHash: goal_hash, name: suggested_name, counterexample } = examined.value;
  const request = { ...wish, ...placed, goal_hash, suggested_name };
  if (counterexample !== undefined) await market.refute(request, counterexample);
  const answer = await market.request(request);
  if (answer.kind === 'opened' && kind === 'lemma') {
    await mergeWith(lean, market, answer.ticket, limits);
    return success({ ...answer, ticket: (await market.retrieve(answer.ticket.ticket_id)) ?? answer.ticket });
  }
  return answer.kind === 'refuted'
    ? no('bad-statement', `the statement is false, for example: ${answer.ticket.counterexample ?? ''}`)
    : success(answer);
}

/**
 * Merges an open ticket into another one that implies it directly: only the more general one is worth proving. If several tickets
 * follow from a statement that none of them makes, and no small instance refutes it, that statement becomes a ticket.
 */
async function mergeWith(
  lean: Parameters<typeof examineStatement>[0],
  market: Market,
  ticket: TicketRow,
  limits: Parameters<typeof examineStatement>[2] = {},
): Promise<void> {
  const others = (await market.openBeside(ticket)).slice(0, mostCompared);
  if (others.length === 0) return;
  const { deadlineMs = 30_000, signal = new AbortController().signal } = limits;
  const { preamble, environment } = standingOf(ticket);
  const ground = { preamble, environment };
  const general = await lean.pool.use(
    async (lease): Promise<{ stated: StatedLemma; implied: readonly TicketRow[] } | undefined> => {
      const loaded = await lease.session(preamble, { deadlineMs, signal });
      if (!loaded.ok) return undefined;
      const { session } = loaded;
      const follows = async (statement: string, from: string): Promise<boolean> => {
        const given = asHave(from, 'given');
        if (given === undefined) return false;
        const proof = `by\n  ${given} := by sorry\n  ${fromGiven}`;
        const body = { session, statement, proof, heartbeats };
        const reply = await lease.request('check', body, { deadlineMs, signal });
        // the only `sorry` in it is the lemma it follows from
        return !reply.ok && reply.kind === 'sorry';
      };
      for (const other of others) {
        if (await follows(theoremOf(ticket), theoremOf(other))) {
          await market.merge(ticket.ticket_id, other.ticket_id);
          return undefined;
        }
        if (await follows(theoremOf(other), theoremOf(ticket)))
          await market.merge(other.ticket_id, ticket.ticket_id);
      }
      const open = await market.openBeside(ticket);
      if (open.length === 0) return undefined;
      const goal = ticketGoal(ticket);
      const opened = await Workbench.open(lease, goal, {
        toolchain: lean.pool.toolchain,
        closure: lease.closure,
        deadlineMs,
        signal,
      });
      if (!opened.ok) return undefined;
      const stated = await generalForms(opened.value, signal);
      await opened.value.end();
      for (const one of stated) {
        if (!(await follows(theoremOf(ticket), one.text))) continue;
        const implied: TicketRow[] = [];
        for (const other of open.slice(0, mostCompared))
          if (await follows(theoremOf(other), one.text)) implied.push(other);
        if (implied.length > 0) return { stated: one, implied };
      }
      return undefined;
    },
    { preamble, environment, signal },
  );
  if (!general) return;
  const { text: goal, name } = general.stated;
  const examined = await examineStatement(lean, { ...ground, statement: goal }, limits);
  if (!examined.ok) return;
  const { goalHash: goal_hash, counterexample } = examined.value;
  const all = [ticket, ...general.implied];
  const request = {
    goal,
    goal_hash,
    context: [preamble],
    environment: environment ?? null,
    suggested_name: name,
    constraints: [],
    priority: Math.max(...all.map(({ priority }) => priority)),
    requester: ticket.requester,
    dependencies: [],
  };
  if (counterexample !== undefined) {
    await market.refute(request, counterexample);
    return;
  }
  const answer = await market.request(request);
  if (answer.kind !== 'opened' && answer.kind !== 'known') return;
  for (const { ticket_id } of all) await market.merge(ticket_id, answer.ticket.ticket_id);
}

/** The lemma with variables in place of terms that its sides share. */
async function generalForms(workbench: Workbench, signal: AbortSignal): Promise<StatedLemma[]> {
  const [root] = workbench.open;
  const limits = { cpu_seconds: 2, heartbeats };
  const account = new WorkAccount({ limits, signal, permit: async () => {} });
  const reply = root && (await workbench.weaker(root, account));
  const all = reply?.ok ? reply.statements : [];
  return all.filter(({ general }) => general).map(({ statement }) => statedAs(statement));
}

function no(kind: string, message: string, fix = 'Nothing was posted.'): Failed {
  return failed({ kind, message, fix });
}
