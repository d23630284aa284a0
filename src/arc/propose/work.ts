/**
 * What a search has done, in evaluations: one operation on one small image is one. Learners count what they look at in the
 * same measure, so that a bound on work bounds the time on any machine, and equal tasks end at equal places.
 */
export class Work {
  readonly most: number;
  #spent = 0;

  constructor(most: number) {
    this.most = most;
  }

  get spent(): number {
    return this.#spent;
  }

  get isOver(): boolean {
    return this.#spent >= this.most;
  }

  spend(evaluations: number): void {
    this.#spent += evaluations;
  }
}

/** So many cells of feature columns are made, or looked at in a sample, in the time of one evaluation. */
export const cellsAnEvaluation = { made: 40, sampled: 700, tabled: 80 };
