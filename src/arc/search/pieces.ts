import { definite } from '../../core/errors.ts';
import type { Image } from '../language/image.ts';
import { isList, onlyImage, onlyList } from '../language/operation.ts';
import { absent, type Graph } from './graph.ts';
import type { Choice } from '../language/variants.ts';

/**
 * Best-first search by cost over tuples. A tuple is one node in every graph, reached by the same path. `visit` receives each new
 * tuple once and returns whether it is a solution; after that, only tuples of slightly higher cost are tried. The search ends
 * at a limit of cost, tuples or work, never of time.
 */
export interface PieceLimits {
  readonly cost: number;
  readonly tuples: number;
  readonly work: number;
}

const rootCost = 0;

/** After a solution, tuples that cost up to one plain step more are still tried, as rivals. */
const rivals = 10;

/** Operations that are tried on few tuples are slow, so they start only while less than this share of the work is done. */
const rareShare = 1 / 3;

/** The number of choices that are tried on every tuple; the others follow them in the list. */
export function everywhereOf(choices: readonly Choice[]): number {
  return choices.filter(({ operation }) => operation.rootOnly !== true).length;
}

export class Pieces {
  readonly graphs: readonly Graph[];
  readonly choices: readonly Choice[];
  readonly costs: number[] = [];
  readonly #parents: number[] = [];
  readonly #via: number[] = [];
  readonly #tuples: number[] = [];
  readonly #width: number;
  readonly #everywhere: number;
  /** The choices that apply to an image, and those that apply to a list, where an operation on images maps over it. */
  readonly #onImages: readonly number[];
  readonly #onLists: readonly number[];
  #slots = new Int32Array(1 << 14).fill(-1);
  #scratch: Int32Array;

  constructor(graphs: readonly Graph[], choices: readonly Choice[]) {
    this.graphs = graphs;
    this.choices = choices;
    this.#width = graphs.length;
    this.#everywhere = everywhereOf(choices);
    // Choices that are tried on few tuples come last, the cheapest first, because the work may run out among them.
    const costOf = (c: number): number => (c < this.#everywhere ? 0 : definite(choices[c]).cost);
    const indices = [...choices.keys()].sort((a, b) => costOf(a) - costOf(b) || a - b);
    this.#onImages = indices.filter((c) => choices[c]?.operation.takes === 'image');
    this.#onLists = indices.filter(
      (c) => choices[c]?.operation.takes === 'list' || choices[c]?.operation.gives === 'image',
    );
    this.#scratch = new Int32Array(graphs.length);
    this.#add(-1, -1, rootCost);
  }

  get count(): number {
    return this.costs.length;
  }

  get work(): number {
    return this.graphs.reduce((sum, graph) => sum + graph.work, 0);
  }

  node(tuple: number, graph: number): number {
    return this.#tuples[tuple * this.#width + graph] ?? 0;
  }

  /** The images of a tuple, or null when it holds lists. */
  images(tuple: number): readonly Image[] | null {
    const images: Image[] = [];
    for (const [g, graph] of this.graphs.entries()) {
      const value = graph.values[this.node(tuple, g)];
      if (value === undefined || isList(value)) return null;
      images.push(value);
    }
    return images;
  }

  /** The images of a tuple that holds images. */
  onlyImages(tuple: number): readonly Image[] {
    return this.graphs.map((graph, g) => onlyImage(graph.values[this.node(tuple, g)]));
  }

  /** The cheapest tuples that hold lists, plus some more sorted lists, which cost more than most choices. */
  lists(most: number): number[] {
    const found: number[] = [];
    for (let tuple = 0; tuple < this.count; tuple++)
      if (isList(definite(this.graphs[0]?.values[this.node(tuple, 0)]))) found.push(tuple);
    found.sort((a, b) => (this.costs[a] ?? 0) - (this.costs[b] ?? 0) || a - b);
    return found.slice(0, most);
  }

  /** The lists of a tuple that holds lists. */
  listsAt(tuple: number): readonly (readonly Image[])[] {
    return this.graphs.map((graph, g) => onlyList(graph.values[this.node(tuple, g)]));
  }

  parent(tuple: number): number {
    return this.#parents[tuple] ?? 0;
  }

  choice(tuple: number): Choice {
    return definite(this.choices[this.#via[tuple] ?? 0]);
  }

  grow(limits: PieceLimits, visit: (tuple: number) => boolean): void {
    const buckets: number[][] = [[0]];
    visit(0);
    let ceiling = limits.cost;
    for (let cost = 0; cost <= ceiling; cost++) {
      for (const tuple of buckets[cost] ?? []) {
        if (this.count >= limits.tuples || this.work >= limits.work) return;
        this.#expand(tuple, ceiling, limits.work * rareShare, (child, childCost) => {
          (buckets[childCost] ??= []).push(child);
          if (visit(child)) ceiling = Math.min(ceiling, childCost + rivals);
        });
      }
    }
  }

  #expand(
    tuple: number,
    costLimit: number,
    rareWork: number,
    found: (child: number, cost: number) => void,
  ): void {
    const cost = this.costs[tuple] ?? 0;
    // The input embedded in its frame still counts as the input.
    const nearRoot =
      cost === rootCost || (this.parent(tuple) === 0 && this.choice(tuple).operation.framed === true);
    const most = nearRoot ? this.choices.length : this.#everywhere;
    const value = definite(this.graphs[0]?.values[this.node(tuple, 0)]);
    const tried = isList(value) ? this.#onLists : this.#onImages;
    for (const c of tried) {
      if (c >= most || (c >= this.#everywhere && this.work >= rareWork)) break;
      const choice = definite(this.choices[c]);
      const childCost = cost + choice.cost;
      if (childCost > costLimit) continue;
      if (!this.#reach(tuple, c)) continue;
      const child = this.#add(tuple, c, childCost);
      if (child >= 0) found(child, childCost);
    }
  }

  /** Puts the children of one choice into the scratch tuple; false if some graph has none. */
  #reach(tuple: number, choice: number): boolean {
    let moved = false;
    for (let g = 0; g < this.#width; g++) {
      const node = this.node(tuple, g);
      const child = definite(this.graphs[g]).child(node, choice);
      if (child === absent) return false;
      if (child !== node) moved = true;
      this.#scratch[g] = child;
    }
    return moved;
  }

  #add(parent: number, via: number, cost: number): number {
    let hash = 0x811c9dc5;
    for (let g = 0; g < this.#width; g++) {
      hash = Math.imul(hash ^ (this.#scratch[g] ?? 0), 0x01000193);
      hash ^= hash >>> 15;
    }
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let other = this.#slots[slot] ?? 0; other !== -1; other = this.#slots[slot] ?? 0) {
      if (this.#isScratch(other)) return -1;
      slot = (slot + 1) & mask;
    }
    const tuple = this.count;
    this.#slots[slot] = tuple;
    this.costs.push(cost);
    this.#parents.push(parent);
    this.#via.push(via);
    for (let g = 0; g < this.#width; g++) this.#tuples.push(this.#scratch[g] ?? 0);
    if (this.count * 2 > this.#slots.length) this.#rehash();
    return tuple;
  }

  #isScratch(tuple: number): boolean {
    for (let g = 0; g < this.#width; g++)
      if (this.#tuples[tuple * this.#width + g] !== this.#scratch[g]) return false;
    return true;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = this.#slots.length - 1;
    for (let tuple = 0; tuple < this.count; tuple++) {
      let hash = 0x811c9dc5;
      for (let g = 0; g < this.#width; g++) {
        hash = Math.imul(hash ^ this.node(tuple, g), 0x01000193);
        hash ^= hash >>> 15;
      }
      let slot = hash & mask;
      while (this.#slots[slot] !== -1) slot = (slot + 1) & mask;
      this.#slots[slot] = tuple;
    }
  }
}
