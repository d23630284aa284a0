/** Bytes shared by machines that use the same database, named by what they are made from. */
export interface Shelf {
  get(name: string): Promise<Buffer | undefined>;
  /** The first write wins: a name has one content. */
  put(name: string, bytes: Buffer): Promise<void>;
}
