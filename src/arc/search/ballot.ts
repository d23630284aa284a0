import { agreement, usualAgreement } from '../verify/agreement.ts';
import { gridToRows } from '../grid/grid.ts';
import type { Task } from '../grid/task.ts';
import { fitsOdds, moreLikely, odds } from './odds.ts';
import type { JudgedProposal } from './teacher.ts';
import { doubtsOf } from './traits.ts';

export interface Support {
  /** Its odds, summed over the kinds of rules that give it. */
  readonly weight: number;
  /** Its share of the odds of all answers, including one part for "none of them". */
  readonly share: number;
  /** The kinds of rules that give it. */
  readonly proposers: number;
  /** The number of views of the task for which it is the most likely answer. */
  readonly votes: number;
  /** The self-consistency of its best rule on turned and recoloured pairs; null if not tested. */
  readonly agreement: number | null;
  /** The degree to which it breaks traits of all training pairs. */
  readonly doubt: number;
}

/** An answer with its evidence. */
interface Answer extends Support {
  readonly best: JudgedProposal;
}

/** All answers, those of rules that fit every pair first, the most likely first. */
export interface Ballot {
  readonly answers: readonly Answer[];
  /** How many views have a rule that fits. */
  readonly views: number;
}

/** Number of answers tested for self-consistency, most likely first. */
const mostRivals = 6;

/** Added to the log odds for each further view that votes for an answer. */
const voteWeight = 0.4;

/**
 * Collects the answers and weighs them; only one can be right. The odds of an answer are the sum, over the proposers that
 * give it, of the odds of the proposer's best rule. Rules of one proposer are similar, so their number is no evidence. Each
 * view looks at the task independently, so it votes for the answer of its best rule. If there are several answers, the best
 * rule of each is also tested on turned and recoloured pairs. An answer loses odds if it breaks a trait that all training
 * pairs share. Rules that do not fit all pairs are used only when too few others are left.
 */
export function castBallot(
  task: Pick<Task, 'train' | 'test'>,
  judged: readonly JudgedProposal[],
  agreementOf = ({ program }: JudgedProposal): number => agreement(program, task),
): Ballot {
  const doubts = doubtsOf(task);
  const drafts = new Map<string, Draft>();
  const bestOfView = new Map<string, { readonly rule: JudgedProposal; readonly draft: Draft }>();
  for (const candidate of judged) {
    const { answers } = candidate;
    if (!answers.every((grid) => grid !== null)) continue;
    const key = JSON.stringify(answers.map(gridToRows));
    const draft = drafts.get(key) ?? { best: candidate, byProposer: new Map<string, number>() };
    drafts.set(key, draft);
    if (moreLikely(candidate, draft.best) < 0) draft.best = candidate;
    const [proposer = '', view = ''] = candidate.by.split(' ');
    draft.byProposer.set(proposer, Math.max(draft.byProposer.get(proposer) ?? 0, odds(candidate)));
    const known = bestOfView.get(view);
    if (fitsOdds(candidate) && (known === undefined || moreLikely(candidate, known.rule) < 0))
      bestOfView.set(view, { rule: candidate, draft });
  }
  const votesFor = (draft: Draft): number =>
    [...bestOfView.values()].filter((vote) => vote.draft === draft).length;
  const weighed = [...drafts.values()].map((draft) => {
    const votes = votesFor(draft);
    const sum = [...draft.byProposer.values()].reduce((all, one) => all + one, 0);
    const doubt = doubts(draft.best.answers);
    const weight = sum * Math.exp(voteWeight * Math.max(0, votes - 1) - doubt);
    return { best: draft.best, proposers: draft.byProposer.size, votes, weight, agreement: null, doubt };
  });
  const asked = askAgreement(weighed, agreementOf);
  const all = 1 + asked.reduce((sum, { weight }) => sum + weight, 0);
  return {
    answers: asked.map((one) => ({ ...one, share: one.weight / all })).sort(byLikelihood),
    views: bestOfView.size,
  };
}

interface Draft {
  best: JudgedProposal;
  /** The odds of the best rule of each proposer. */
  readonly byProposer: Map<string, number>;
}

type Weighed = Omit<Answer, 'share'>;

/** Tests the self-consistency of the most likely answers; it changes their weight only if there are several. */
function askAgreement(
  weighed: readonly Weighed[],
  agreementOf: (candidate: JudgedProposal) => number,
): Weighed[] {
  const [rivals, others] = [
    weighed.filter(({ best }) => fitsOdds(best)),
    weighed.filter(({ best }) => !fitsOdds(best)),
  ];
  rivals.sort(byLikelihood);
  const asked = rivals.slice(0, mostRivals).map((one) => {
    const own = agreementOf(one.best);
    const weight = rivals.length > 1 ? one.weight * Math.exp(own - usualAgreement) : one.weight;
    return { ...one, agreement: own, weight };
  });
  return [...asked, ...rivals.slice(mostRivals), ...others];
}

function byLikelihood(a: Weighed, b: Weighed): number {
  return (
    Number(fitsOdds(b.best)) - Number(fitsOdds(a.best)) || b.weight - a.weight || moreLikely(a.best, b.best)
  );
}
