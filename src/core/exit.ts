/** Exit codes, which scripts rely on. A usage error never exits with 1; an unknown verdict is never a success. */
export const ExitCode = { done: 0, notAll: 1, broken: 2, unknown: 3 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
