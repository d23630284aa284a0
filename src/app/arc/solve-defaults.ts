/** What the ledger calls a run of `orch arc solve`. */
export const solveCommand = 'arc solve';

/** What it calls a run of `orch arc run`. */
export const runCommand = 'arc run';

export const solveDefaults = { every: 1, out: '.orch/arc' } as const;
