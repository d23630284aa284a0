import type { Scene } from './actions.ts';
import type { Image } from './image.ts';

/** What treatments work on, and what they write. */
export interface Written {
  /** Numbers of the grid's cells. */
  readonly places: readonly number[];
  readonly colours: readonly number[];
}

export interface Subject {
  readonly source: Image;
  readonly scene: Scene;
  readonly self: number;
}

export type Step = readonly [dx: number, dy: number];
