import type { Missing } from '../../core/scheduler/domain.ts';
import type { AttemptRun } from '../../core/strategy.ts';
import { wholeStatement, type LeanGoal } from '../goals/goal.ts';
import { refute } from '../search/refute.ts';
import type { Goal } from '../protocol.ts';
import { isStatedGenerally } from '../search/strengthen.ts';
import { sidesOf } from '../search/terms.ts';
import { Account } from '../workbench/account.ts';
import { Workbench } from '../workbench.ts';
import { statementOf } from './lemma.ts';
import { isSameText } from './similarity.ts';
import { isGeneralised, weakenings } from './weakest.ts';

/** So many statements are asked about. */
const mostAsked = 8;
const refuteLimits = { cpu_seconds: 0.5, heartbeats: 400 };
const useHeartbeats = 2000;

/** A statement as `statementOf` has it. */
type Stated = NonNullable<ReturnType<typeof statementOf>>;

/**
 * The lemma that would close what the best attempt left open: the weakest statement that Lean can read, that small values do not
 * speak against, and from which what was left open follows. A fact that a search has stated more generally than it is used comes
 * first: it was thought out. Then what speaks of a variable where the goal had a term: that is no other step of the same proof.
 */
export async function missingLemma(
  goal: LeanGoal,
  workbench: Workbench,
  run: Pick<AttemptRun, 'limits' | 'signal' | 'permit'>,
): Promise<Missing> {
  const { preamble, environment } = goal;
  const account = new Account(run);
  // a step that changes nothing, or turns an equation round, leaves the goal itself open, which is no help
  const isGoal = (left: Goal): boolean =>
    [left, turned(left)].some((one) => isSameText(statementOf(one)?.text ?? '', goal.statement));
  const weaker = workbench.leftOpen
    .filter((left) => !isGoal(left))
    .flatMap((left) => weakenings(left).map((one) => ({ left, weaker: one })));
  const asked = weaker
    .filter((one) => !isGoal(one.weaker))
    .toSorted((one, two) => rankOf(one) - rankOf(two))
    .slice(0, mostAsked);
  for (const candidate of asked) {
    if (account.stopped !== undefined) break;
    const [own, stated] = [statementOf(candidate.left), statementOf(candidate.weaker)];
    if (own && stated && (await isWorthAsking(workbench, account, stated, own)))
      return {
        request: { statement: stated.text, preamble, environment, name: stated.name },
        cpuSeconds: account.cpuSeconds,
      };
  }
  return { request: undefined, cpuSeconds: account.cpuSeconds };
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

/** In the worker that the goal has: nobody waits for another one. */
async function isWorthAsking(
  workbench: Workbench,
  account: Account,
  { name, text }: Stated,
  left: Stated,
): Promise<boolean> {
  return await workbench.borrow(async (lease) => {
    const { signal, permit } = account;
    const goal = { ...workbench.goal, id: name, statement: text, holes: wholeStatement };
    const opened = await Workbench.open(lease, goal, { ...workbench.ground, signal, permit });
    account.charge({ cpuSeconds: opened.cpuSeconds, wallSeconds: 0, peakBytes: 0 });
    if (!opened.ok) return false;
    const looking = new Account({ limits: refuteLimits, signal, permit });
    const { instance } = await refute(opened.workbench, looking);
    await opened.workbench.end();
    account.charge({ cpuSeconds: looking.cpuSeconds, wallSeconds: 0, peakBytes: looking.peakBytes });
    if (instance !== undefined || account.stopped !== undefined) return false;
    if (text === left.text) return true;
    const loaded = await lease.session(workbench.goal.preamble, { signal });
    if (!loaded.ok) return false;
    const body = { session: loaded.session, statement: left.text, heartbeats: useHeartbeats };
    const reply = await lease.request('check', { ...body, proof: proofWith(text) }, { signal });
    account.charge(reply.cost);
    // what is missing in it is the lemma alone
    return reply.ok || reply.kind === 'sorry';
  });
}

/** What was left open, from the lemma. */
function proofWith(lemma: string): string {
  const have = lemma.replace(/^theorem /, 'have ');
  // an equation that turns in circles ends `first` too, so `simp_all` comes last
  return `by\n  ${have} := by sorry\n  first | grind | simp_all | (intros; simp_all)`;
}
