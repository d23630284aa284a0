/** What the ledger calls a run of `orch arc solve`. */
export const solveCommand = 'arc solve';

export const solveDefaults = { recogniser: true, every: 1, out: '.orch/arc' } as const;
