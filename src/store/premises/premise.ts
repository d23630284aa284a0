/** A theorem or a definition that a proof may use. */
export interface Premise {
  readonly name: string;
  /** As Lean calls it: `theorem`, `definition`, `axiom`, … */
  readonly kind: string;
  readonly module: string;
  /** The constants that its type mentions. */
  readonly symbols: readonly string[];
  /** Two of one shape, with the same symbols, say the same. */
  readonly shape?: string | undefined;
}

/** The premises of one environment, ready to be asked. Built once, then only read. */
export interface PremiseIndex {
  readonly size: number;
  /** Premises that share symbols with a goal, nearest first: rare symbols count more, symbols that the goal lacks count against a premise. */
  bySymbols(symbols: readonly string[], limit: number, modules?: readonly string[]): Ranked[];
  /** Those whose names and types hold the words of a text, by BM25. Both look only into `modules`, where these are given. */
  byWords(text: string, limit: number, modules?: readonly string[]): Ranked[];
  /** The records of these premises. */
  find(names: readonly string[]): Premise[];
  /** The names of those that these modules declare. */
  inModules(modules: readonly string[]): string[];
  /** All of them, to make an index of another kind. */
  all(): Iterable<Premise>;
  close(): void;
}

export interface Ranked {
  readonly name: string;
  readonly score: number;
}
