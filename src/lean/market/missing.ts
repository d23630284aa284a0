import type { MissingLemma } from '../../core/scheduler/domain.ts';
import type { AttemptRun } from '../../core/strategy.ts';
import { factsOf } from '../premises/facts.ts';
import { wholeStatement, type LeanGoal } from '../goals/goal.ts';
import { asHave } from '../base/signature.ts';
import { refute } from '../search/refute.ts';
import { WorkAccount } from '../workbench/account.ts';
import { Workbench } from '../workbench/workbench.ts';
import { statedAs, type StatedLemma } from './lemma.ts';
import { RefutedLemmas } from '../search/refuted-lemmas.ts';

/** Maximum number of candidate statements. */
const mostAsked = 16;
const refuteLimits = { cpu_seconds: 0.5, heartbeats: 400 };
const useHeartbeats = 2000;
const mostInductions = 3;

/**
 * The lemma that would close the goals left open by the best attempt: the weakest statement that Lean can read,
 * that small values do not refute, and that implies those goals. Statements
 * with a variable in place of a term of the goal come first, because they are not just another step of the same proof.
 */
export async function missingLemma(
  goal: LeanGoal,
  workbench: Workbench,
  run: Pick<AttemptRun, 'limits' | 'signal' | 'permit'>,
  isLast: boolean,
  refuted = new RefutedLemmas(),
): Promise<MissingLemma> {
  const { preamble, environment } = goal;
  const account = new WorkAccount(run);
  await stepInto(workbench, account);
  const asked = (await candidates(workbench, account))
    // a goal that was left unchanged may be as hard as the original
    .filter(({ isGeneral }) => isLast || isGeneral)
    .toSorted((one, two) => Number(two.isGeneral) - Number(one.isGeneral))
    .slice(0, mostAsked);
  for (const { own, stated } of asked) {
    if (account.stopped !== undefined) break;
    if (refuted.ofText(goal, stated.text) !== undefined) continue;
    if (await isWorthAsking({ workbench, account, refuted }, stated, own))
      return {
        request: {
          statement: stated.text,
          name: stated.name,
          columns: { context: [preamble], environment: environment ?? null },
        },
        ...account.spent,
      };
  }
  return { request: undefined, ...account.spent };
}

interface Candidate {
  /** The goal that was left open, and a statement that may imply it. */
  readonly own: StatedLemma;
  readonly stated: StatedLemma;
  /** A variable replaces a term of the goal. */
  readonly isGeneral: boolean;
}

async function candidates(workbench: Workbench, account: WorkAccount): Promise<Candidate[]> {
  const all: Candidate[] = [];
  for (const left of workbench.leftOpen) {
    const reply = await workbench.weaker(left, account);
    const statements = reply?.ok ? reply.statements : [];
    const whole = statements.at(-1);
    if (whole)
      for (const { statement, general } of statements)
        all.push({ own: statedAs(whole.statement), stated: statedAs(statement), isGeneral: general });
  }
  return all;
}

/** The goals that an induction leaves; the search may have tried other steps only. */
async function stepInto(workbench: Workbench, account: WorkAccount): Promise<void> {
  const [root] = workbench.open;
  if (!root) return;
  const facts = factsOf(workbench);
  const { kinds } = await workbench.moves(root, facts, account);
  const unfold = facts.definitions.join(', ');
  const tactics = (kinds[0] ?? [])
    .slice(0, mostInductions)
    .flatMap((induction) =>
      [`simp only [${unfold}]`, `simp [${unfold}]`].map((simplify) => `(${induction} <;> try ${simplify})`),
    );
  await workbench.run(root, tactics, account, { heartbeats: useHeartbeats, until: 'end' });
}

interface Asking {
  readonly workbench: Workbench;
  readonly account: WorkAccount;
  readonly refuted: RefutedLemmas;
}

/** Uses the worker that already has the goal, so no other worker is needed. */
async function isWorthAsking(
  { workbench, account, refuted }: Asking,
  { name, text }: StatedLemma,
  left: StatedLemma,
): Promise<boolean> {
  return await workbench.borrow(async (lease) => {
    const { signal, permit } = account;
    const follows = async (statement: string, from: string, how: string): Promise<boolean> => {
      const given = asHave(from, 'given');
      const loaded = await lease.session(workbench.goal.preamble, { signal });
      if (!loaded.ok || given === undefined) return false;
      const proof = `by\n  ${given} := by sorry\n  ${how}`;
      const body = { session: loaded.session, statement, proof, heartbeats: useHeartbeats };
      const reply = await lease.request('check', body, { signal });
      account.charge(reply.cost);
      // the only `sorry` in it is the lemma it follows from
      return reply.ok || reply.kind === 'sorry';
    };
    // another case of the same goal does not help
    if (await follows(text, workbench.goal.statement, fromGiven)) return false;
    const goal = { ...workbench.goal, id: name, statement: text, holes: wholeStatement };
    const opened = await Workbench.open(lease, goal, { ...workbench.ground, signal, permit });
    account.charge(opened.cost);
    if (!opened.ok) return false;
    if (refuted.ofHash(opened.value.goalHash) !== undefined) {
      await opened.value.end();
      return false;
    }
    const looking = new WorkAccount({ limits: refuteLimits, signal, permit });
    const { instance } = await refute(opened.value, looking);
    await opened.value.end();
    account.charge(looking.spent);
    if (instance !== undefined || account.stopped !== undefined) return false;
    if (text === left.text) return true;
    return await follows(left.text, text, anything);
  });
}

// with a looping equation `simp_all` aborts `first`, so it comes last
const anything = 'first | grind | simp_all | (intros; simp_all)';
/** Uses a more general fact as it is. */
export const fromGiven = 'first | exact given | (intros; first | apply given | (symm; apply given))';
