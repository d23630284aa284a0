import { Bandit, rewardOf } from '../bandit.ts';
import type { ArmResult, LabRow } from './record.ts';

type LabGoal = Pick<LabRow, 'context' | 'features'>;

/** In which order the arms of a goal run. Pure but for what it is taught; the same lessons give the same orders. */
export interface Policy {
  readonly name: string;
  /** Best first. */
  order(goal: LabGoal, arms: readonly string[]): readonly string[];
  /** What an arm did to a goal; called in the order in which things happened. */
  learn(goal: LabGoal, result: ArmResult): void;
}

export type PolicyName = 'ucb1' | 'static' | 'contextual';

export const policies: Readonly<Record<PolicyName, () => Policy>> = {
  ucb1: ucb1Policy,
  static: staticPolicy,
  contextual: contextualPolicy,
};

/** What an attempt may cost, to the reward of the seed. */
const budgetSeconds = 8;

/** The seed's: UCB1 with contexts, as the engine has it. */
function ucb1Policy(): Policy {
  const bandit = new Bandit();
  return {
    name: 'ucb1',
    order: ({ context }, arms) => bandit.rank(arms, context).map(({ arm }) => arm),
    learn: ({ context }, { arm, solved, cpu_seconds }) =>
      bandit.learn(arm, context, rewardOf(solved, cpu_seconds, budgetSeconds)),
  };
}

/** One order for all goals: most proofs a CPU-second first, which is the best order where arms fail independently. */
function staticPolicy(): Policy {
  const sums = new Map<string, { solved: number; seconds: number }>();
  const rate = (arm: string): number => {
    const { solved = 0, seconds = 0 } = sums.get(arm) ?? {};
    return (solved + 0.05) / (seconds + 1);
  };
  return {
    name: 'static',
    order: (_, arms) => arms.toSorted((one, two) => rate(two) - rate(one)),
    learn: (_, { arm, solved, cpu_seconds }) => {
      const { solved: before = 0, seconds = 0 } = sums.get(arm) ?? {};
      sums.set(arm, { solved: before + Number(solved), seconds: seconds + cpu_seconds });
    },
  };
}

interface Lesson {
  readonly goal: LabGoal;
  readonly solved: boolean;
  readonly seconds: number;
}

/** A lesson from a goal this far away counts e⁻¹ of one from the same. */
const reach = 1.5;
/** What is known of an arm everywhere counts as so many lessons from here. */
const prior = 3;

/**
 * Chance and expected cost of each arm from goals that look alike (a kernel over ln(1 + feature), and the context), pulled towards the
 * arm's figures everywhere; most chance a CPU-second first.
 */
function contextualPolicy(): Policy {
  const lessons = new Map<string, Lesson[]>();
  return {
    name: 'contextual',
    order: (goal, arms) => arms.toSorted((one, two) => worth(lessons, goal, two) - worth(lessons, goal, one)),
    learn: ({ context, features }, { arm, solved, cpu_seconds }) => {
      const known = lessons.get(arm) ?? [];
      known.push({ goal: { context, features }, solved, seconds: cpu_seconds });
      lessons.set(arm, known);
    },
  };
}

function worth(lessons: ReadonlyMap<string, readonly Lesson[]>, goal: LabGoal, arm: string): number {
  const known = lessons.get(arm) ?? [];
  const everywhere = weigh(known, () => 1);
  const here = weigh(known, (lesson) => Math.exp(-distance(goal, lesson.goal) / reach));
  const mean = (sum: number, all: number): number => (sum + prior * all) / (here.weight + prior);
  const count = Math.max(1, everywhere.weight);
  const chance = mean(here.solved, (everywhere.solved + 0.05) / count);
  const seconds = mean(here.seconds, (everywhere.seconds + 1) / count);
  return chance / Math.max(0.01, seconds);
}

function weigh(
  lessons: readonly Lesson[],
  weightOf: (lesson: Lesson) => number,
): { weight: number; solved: number; seconds: number } {
  const sums = { weight: 0, solved: 0, seconds: 0 };
  for (const lesson of lessons) {
    const weight = weightOf(lesson);
    sums.weight += weight;
    sums.solved += weight * Number(lesson.solved);
    sums.seconds += weight * lesson.seconds;
  }
  return sums;
}

function distance(one: LabGoal, two: LabGoal): number {
  const names = new Set([...Object.keys(one.features), ...Object.keys(two.features)]);
  let sum = one.context === two.context ? 0 : 1;
  for (const name of names) {
    const gap = Math.log1p(one.features[name] ?? 0) - Math.log1p(two.features[name] ?? 0);
    sum += gap * gap;
  }
  return Math.sqrt(sum);
}
