/**
 * Wall-clock limit for judging a whole file, which is compiled twice and exported. Generous, because ten seconds can become two minutes on a busy machine, and a proof must not be lost for that.
 */
export const judgeMs = 600_000;
