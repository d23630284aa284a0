/** What machines that share a database need not make each for itself: bytes, under a name that says what they are made from. */
export interface Shelf {
  get(name: string): Promise<Buffer | undefined>;
  /** Whoever is first: under one name there is one content. */
  put(name: string, bytes: Buffer): Promise<void>;
}
