/** A finding of `orch doctor`. `missing`: optional, would make orch stronger. `broken`: orch does not work without the fix. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'missing' | 'broken';
  readonly detail: string;
  readonly fix?: string;
}
