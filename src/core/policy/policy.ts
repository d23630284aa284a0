import type { ArmChoice, ArmRecord, PolicyModel, PolicyName } from '../../shared/events.ts';
import { Bandit } from '../bandit.ts';
import type { Features } from '../difficulty.ts';
import { ContextualPolicy } from './contextual.ts';

/** The data of a goal that a policy uses. */
export interface PolicyGoal {
  /** The bandit treats goals of the same context alike. */
  readonly context: string;
  readonly features: Features;
  /** Arms that have failed on it. */
  readonly failed: readonly string[];
}

/** The result of an arm on a goal; cancelled attempts are not included. */
export interface ArmLesson {
  readonly arm: string;
  /** 0 if it failed. */
  readonly reward: number;
  readonly cpuSeconds: number;
}

/** Chooses the next arm. Deterministic: the same lessons in the same order give the same choices. */
export interface Policy {
  /** The arms to choose from, best first. */
  rank(goal: PolicyGoal, arms: readonly string[]): ArmChoice[];
  learn(goal: PolicyGoal, lesson: ArmLesson): void;
}

/** Initial state of a policy. */
export interface Learned {
  readonly arms: readonly ArmRecord[];
  readonly policy?: PolicyModel;
}

/**
 * One arm at a time, in the order of the policy, once the cheap ones have failed; UCB1 leaves the order to the stages of the arms,
 * and those of a stage race.
 */
export function takesTurns(policy: PolicyName): boolean {
  return policy !== 'ucb1';
}

/** `ucb`: how much UCB1 prefers arms that it has tried rarely. */
export function makePolicy(name: PolicyName, { arms, policy }: Learned, ucb?: number): Policy {
  switch (name) {
    case 'ucb1':
      return ucb1Policy(new Bandit(arms, ucb));
    case 'static':
      return staticPolicy(policy?.order ?? []);
    case 'contextual':
      return new ContextualPolicy(policy);
  }
}

export function ucb1Policy(bandit: Bandit): Policy {
  return {
    rank: ({ context }, arms) => bandit.rank(arms, context),
    learn: ({ context }, { arm, reward }) => bandit.learn(arm, context, reward),
  };
}

/** One order for all goals; unknown arms come last, in their own order. */
function staticPolicy(order: readonly string[]): Policy {
  const placeOf = (arm: string): number => (order.includes(arm) ? order.indexOf(arm) : order.length);
  return {
    rank: (_, arms) =>
      arms
        .map((arm) => ({ arm, score: 1 / (1 + placeOf(arm)), mean: 0, trials: 0 }))
        .sort((one, two) => two.score - one.score),
    learn: () => {},
  };
}
