import type { MissingLemma } from '../../core/scheduler/domain.ts';
import type { AttemptRun } from '../../core/strategy.ts';
import { factsOf } from '../premises/facts.ts';
import { wholeStatement, type LeanGoal } from '../goals/goal.ts';
import { asHave } from '../base/signature.ts';
import { refute } from '../search/refute.ts';
import { isInductive, localsOf } from '../search/shapes.ts';
import type { Goal } from '../base/protocol.ts';
import { isStatedGenerally } from '../search/strengthen.ts';
import { sidesOf } from '../search/terms.ts';
import { WorkAccount } from '../workbench/account.ts';
import { Workbench } from '../workbench/workbench.ts';
import { lemmaStatement } from './lemma.ts';
import { isSameText } from '../premises/similarity.ts';
import { RefutedLemmas } from '../search/refuted-lemmas.ts';
import { isGeneralised, weakenings } from './weakest.ts';

/** Maximum number of candidate statements. */
const mostAsked = 16;
const refuteLimits = { cpu_seconds: 0.5, heartbeats: 400 };
const useHeartbeats = 2000;

/** The statement, as from `statementOf`. */
type Stated = NonNullable<ReturnType<typeof lemmaStatement>>;

/**
 * The lemma that would close the goals left open by the best attempt: the weakest statement that Lean can read,
 * that small values do not refute, and that implies those goals. Facts that a search has already generalised
 * come first. Next come statements with a variable in place of a term of the goal, because they are not just
 * another step of the same proof.
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
  // a step that changes nothing or only swaps the sides of an equation leaves the goal itself open
  const isGoal = (left: Goal): boolean =>
    [left, turned(left)].some((one) => isSameText(lemmaStatement(one)?.text ?? '', goal.statement));
  const weaker = workbench.leftOpen
    .filter((left) => !isGoal(left))
    .flatMap((left) => weakenings(left).map((one) => ({ left, weaker: one })));
  const asked = weaker
    .filter((one) => !isGoal(one.weaker))
    // a goal that was left unchanged may be as hard as the original
    .filter((one) => isLast || rankOf(one) < 2)
    .toSorted((one, two) => rankOf(one) - rankOf(two))
    .slice(0, mostAsked);
  for (const candidate of asked) {
    if (account.stopped !== undefined) break;
    const [own, stated] = [lemmaStatement(candidate.left), lemmaStatement(candidate.weaker)];
    if (stated && refuted.ofText(goal, stated.text) !== undefined) continue;
    if (own && stated && (await isWorthAsking({ workbench, account, refuted }, stated, own)))
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

/** The goals that an induction leaves; the search may have tried other steps only. */
async function stepInto(workbench: Workbench, account: WorkAccount): Promise<void> {
  const [root] = workbench.open;
  const goal = root?.goals[0];
  if (!goal) return;
  const facts = factsOf(workbench);
  const recursive = localsOf(goal).filter(isInductive);
  const unfold = facts.definitions.join(', ');
  const tactics = recursive.flatMap(({ name }) =>
    [`simp only [${unfold}]`, `simp [${unfold}]`].map(
      (simplify) => `(induction ${name} <;> try ${simplify})`,
    ),
  );
  await workbench.run(root, tactics, account, { heartbeats: useHeartbeats, until: 'end' });
}

function rankOf({ left, weaker }: { readonly left: Goal; readonly weaker: Goal }): number {
  if (isStatedGenerally(left.target)) return 0;
  return isGeneralised(weaker) ? 1 : 2;
}

function turned(goal: Goal): Goal {
  for (const operator of ['↔', '=']) {
    const sides = sidesOf(goal.target, operator);
    if (sides) return { ...goal, target: `${sides[1]} ${operator} ${sides[0]}` };
  }
  return goal;
}

interface Asking {
  readonly workbench: Workbench;
  readonly account: WorkAccount;
  readonly refuted: RefutedLemmas;
}

/** Uses the worker that already has the goal, so no other worker is needed. */
async function isWorthAsking(
  { workbench, account, refuted }: Asking,
  { name, text }: Stated,
  left: Stated,
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
