/** Bytes shared by machines with the same database, keyed by the inputs they are computed from. */
export interface Shelf {
  get(name: string): Promise<Buffer | undefined>;
  /** The first write wins: a key has one content. */
  put(name: string, bytes: Buffer): Promise<void>;
}
