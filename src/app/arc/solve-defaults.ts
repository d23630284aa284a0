/** What the ledger calls a run of `orch arc solve`. */
export const solveCommand = 'arc solve';

export const solveDefaults = { mode: 'fast', recogniser: true, every: 1, out: '.orch/arc' } as const;
