/**
 * What a search has done, in evaluations: one operation on one small image is one. Learners count what they look at in the
 * same measure, so that a bound on work bounds the time on any machine, and equal tasks end at equal places.
 */
export class Work {
  readonly most: number;
  readonly #whole: Work | undefined;
  #spent = 0;

  constructor(most: number, whole?: Work) {
    this.most = most;
    this.#whole = whole;
  }

  /** A share of it, for one of those who do it: what they spend is spent here too. */
  part(share: number): Work {
    return new Work(this.most * share, this);
  }

  get spent(): number {
    return this.#spent;
  }

  get isOver(): boolean {
    return this.#spent >= this.most || this.#whole?.isOver === true;
  }

  spend(evaluations: number): void {
    this.#spent += evaluations;
    this.#whole?.spend(evaluations);
  }
}

/** Number of cells of feature columns that are made, or sampled, in the time of one evaluation. */
export const cellsAnEvaluation = { made: 40, sampled: 700, tabled: 80 };
