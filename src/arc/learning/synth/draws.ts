import { seedFrom } from '../../../core/rng.ts';

/** Pseudo-random numbers from a seed. Generated tasks need millions of them, so only the seed is hashed. */
export class Draws {
  #state: number;

  constructor(...parts: (string | number)[]) {
    this.#state = seedFrom(...parts);
  }

  below(most: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let word = this.#state;
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return ((word ^ (word >>> 15)) >>> 0) % most;
  }
}
