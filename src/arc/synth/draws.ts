import { seedFrom } from '../../core/rng.ts';

/** Numbers in a fixed order from a seed. */
export class Draws {
  readonly #seed: number;
  #count = 0;

  constructor(...parts: (string | number)[]) {
    this.#seed = seedFrom(...parts);
  }

  below(most: number): number {
    return seedFrom(this.#seed, this.#count++) % most;
  }
}
