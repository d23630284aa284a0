/**
 * The work of a search, in evaluations: one operation on a small image counts as one. Learners count the cells they read in
 * the same unit. So a limit of work also limits time, and every machine stops at the same point.
 */
export class Work {
  readonly most: number;
  readonly #whole: Work | undefined;
  #spent = 0;

  constructor(most: number, whole?: Work) {
    this.most = most;
    this.#whole = whole;
  }

  /** A part with its own limit; its work is also counted here. */
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
export const cellsPerEvaluation = { made: 40, sampled: 700, tabled: 80 };
