import type { BodyScene } from './actions.ts';
import type { Image } from './image.ts';

/** The input and output of treatments. */
export interface WrittenTreatment {
  /** Indexes of the grid's cells. */
  readonly places: readonly number[];
  readonly colours: readonly number[];
}

export interface Subject {
  readonly source: Image;
  readonly scene: BodyScene;
  readonly self: number;
}
