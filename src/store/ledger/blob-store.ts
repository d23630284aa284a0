/** What machines that share a database need not make each for itself: bytes, under a name that says what they are made from. */
export interface Shelf {
  get(name: string): Promise<Buffer | undefined>;
  /** The first write wins: under one name there is one content. */
  put(name: string, bytes: Buffer): Promise<void>;
}
