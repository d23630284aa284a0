/**
 * A binary heap that can also remove items from the middle. Adding, removing and taking the first item cost
 * O(log n).
 */
export class Heap<Item> {
  readonly #comesBefore: (first: Item, second: Item) => boolean;
  readonly #items: Item[] = [];
  readonly #places = new Map<Item, number>();

  constructor(comesBefore: (first: Item, second: Item) => boolean) {
    this.#comesBefore = comesBefore;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  add(item: Item): void {
    this.#put(item, this.#items.length);
    this.#rise(item);
  }

  /** Its rank must not have changed since it was added. False if it is not in the heap. */
  remove(item: Item): boolean {
    const place = this.#places.get(item);
    if (place === undefined) return false;
    this.#places.delete(item);
    const last = this.#items.pop();
    if (last !== undefined && last !== item) {
      this.#put(last, place);
      this.#rise(last);
      this.#sink(last);
    }
    return true;
  }

  /** The items that satisfy a condition that is monotonic in heap order. */
  *leading(condition: (item: Item) => boolean, place = 0): Generator<Item> {
    const item = this.#items[place];
    if (item === undefined || !condition(item)) return;
    yield item;
    yield* this.leading(condition, 2 * place + 1);
    yield* this.leading(condition, 2 * place + 2);
  }

  #rise(item: Item): void {
    for (let place = this.#placeOf(item); place > 0; place = this.#placeOf(item)) {
      const parent = this.#items[(place - 1) >> 1];
      if (parent === undefined || !this.#comesBefore(item, parent)) return;
      this.#put(parent, place);
      this.#put(item, (place - 1) >> 1);
    }
  }

  #sink(item: Item): void {
    for (;;) {
      const place = this.#placeOf(item);
      const left = this.#items[2 * place + 1];
      const right = this.#items[2 * place + 2];
      const child =
        right !== undefined && left !== undefined && this.#comesBefore(right, left) ? right : left;
      if (child === undefined || !this.#comesBefore(child, item)) return;
      this.#put(item, this.#placeOf(child));
      this.#put(child, place);
    }
  }

  #put(item: Item, place: number): void {
    this.#items[place] = item;
    this.#places.set(item, place);
  }

  #placeOf(item: Item): number {
    return this.#places.get(item) ?? 0;
  }
}
