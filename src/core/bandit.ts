import type { ArmChoice, ArmRecord } from '../shared/events.ts';

/** The only definition of these two constants; the ledger's SQL gets them from here (src/store). */
export const startingMean = 0.05;
export const learningRate = 0.1;
const usualExploration = 1.5;
/** In a new context, an arm starts with its record from other contexts, weighted like this many trials. */
const borrowedTrials = 5;

/** UCB1 over arms, with a context. A cancelled or broken attempt is censored, not failed: the bandit learns nothing from it. */
export class Bandit {
  readonly #records = new Map<string, ArmRecord>();
  /** Weight of the exploration bonus for rarely tried arms. */
  readonly #exploration: number;

  constructor(records: Iterable<ArmRecord> = [], exploration = usualExploration) {
    this.#exploration = exploration;
    const known = [...records];
    for (const record of [...totals(known), ...known])
      this.#records.set(keyOf(record.arm, record.context), record);
  }

  /** The arms to choose from, best first; ties keep the strategy's order. */
  rank(arms: readonly string[], context: string): ArmChoice[] {
    const total = arms.reduce((sum, arm) => sum + this.#record(arm, context).trials, 0) + 1;
    const choices = arms.map((arm) => {
      const here = this.#record(arm, context);
      const anywhere = this.#record(arm, '');
      const mean =
        (here.mean * here.trials + anywhere.mean * borrowedTrials) / (here.trials + borrowedTrials);
      return {
        arm,
        score: mean + this.#exploration * uncertainty(here.trials, total),
        mean,
        trials: here.trials,
      };
    });
    return choices.sort((first, second) => second.score - first.score);
  }

  learn(arm: string, context: string, reward: number): void {
    for (const key of new Set([context, ''])) {
      const { trials, mean } = this.#record(arm, key);
      const moved = (1 - learningRate) * mean + learningRate * reward;
      this.#records.set(keyOf(arm, key), { arm, context: key, trials: trials + 1, mean: moved });
    }
  }

  records(): ArmRecord[] {
    return [...this.#records.values()];
  }

  #record(arm: string, context: string): ArmRecord {
    return this.#records.get(keyOf(arm, context)) ?? { arm, context, trials: 0, mean: startingMean };
  }
}

/** Each arm over all contexts: trials are summed, means are weighted by trials. */
function totals(records: readonly ArmRecord[]): ArmRecord[] {
  return [...Map.groupBy(records, ({ arm }) => arm)].map(([arm, its]) => {
    const trials = its.reduce((sum, record) => sum + record.trials, 0);
    const rewards = its.reduce((sum, record) => sum + record.mean * record.trials, 0);
    return { arm, context: '', trials, mean: trials === 0 ? startingMean : rewards / trials };
  });
}

/** An untried arm counts as tried once, so scores stay finite and the strategy's order decides between new arms. */
function uncertainty(trials: number, total: number): number {
  return Math.sqrt((2 * Math.log(total)) / Math.max(1, trials));
}

function keyOf(arm: string, context: string): string {
  return `${context}\n${arm}`;
}
