/** A theorem or a definition that a proof may use. */
export interface Premise {
  readonly name: string;
  /** Lean's kind: `theorem`, `definition`, `axiom`, … */
  readonly kind: string;
  readonly module: string;
  /** The constants that its type mentions. */
  readonly symbols: readonly string[];
  /** Two premises with equal shape and symbols have the same statement. */
  readonly shape?: string | undefined;
}

/** An index of the premises of one environment. Built once, then only read. */
export interface PremiseIndex {
  readonly size: number;
  /**
   * Premises that share symbols with a goal, closest first. Rare symbols count more; symbols that the goal lacks lower the
   * score.
   */
  bySymbols(symbols: readonly string[], limit: number, modules?: readonly string[]): Ranked[];
  /**
   * Premises whose names and types contain the words of a text, by BM25. Both searches are restricted to `modules`, if given.
   */
  byWords(text: string, limit: number, modules?: readonly string[]): Ranked[];
  /** The records of these premises. */
  find(names: readonly string[]): Premise[];
  /** Names that begin with a text, the shortest first. */
  beginningWith(text: string, limit: number): string[];
  /** Names that are a text or end with it after a dot, the shortest first. */
  endingWith(text: string, limit: number): string[];
  /** The names declared by these modules. */
  inModules(modules: readonly string[]): string[];
  /** All of them, to build another kind of index. */
  all(): Iterable<Premise>;
  close(): void;
}

export interface Ranked {
  readonly name: string;
  readonly score: number;
}
