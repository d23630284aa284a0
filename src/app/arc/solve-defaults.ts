/** The ledger's name for runs of `orch arc solve`. */
export const solveCommand = 'arc solve';

/** Its name for runs of `orch arc run`. */
export const runCommand = 'arc run';

export const solveDefaults = { every: 1, out: '.orch/arc' } as const;
