/** Scores of every token after each of several prefixes of equal length. */
export type NextScores = (
  beginnings: readonly (readonly number[])[],
) => Promise<readonly ArrayLike<number>[]>;

export interface BeamOptions {
  /** Beam width, and number of answers. */
  readonly beams: number;
  readonly maxTokens: number;
  readonly start: number;
  readonly end: number;
}

/** A sequence without start and end tokens. `isCut`: it reached the maximum length without an end token. */
export interface Beam {
  readonly tokens: readonly number[];
  /** Logarithm of its probability. */
  readonly score: number;
  readonly isCut: boolean;
}

/**
 * The most likely sequences, best first. A finished prefix frees its place in the beam; the search ends when no open
 * prefix can beat the worst result kept, since probabilities only decrease.
 */
export async function beamSearch(
  next: NextScores,
  { beams, maxTokens, start, end }: BeamOptions,
): Promise<Beam[]> {
  let open: Beam[] = [{ tokens: [], score: 0, isCut: true }];
  let ended: Beam[] = [];
  for (let length = 0; length < maxTokens && open.length > 0; length++) {
    const scores = await next(open.map(({ tokens }) => [start, ...tokens]));
    const longer = open.flatMap((beam, index) => extended(beam, scores[index] ?? [], beams + 1));
    longer.sort(byScore);
    const done = longer.filter(({ token }) => token === end).map(({ beam, score }) => ({ ...beam, score }));
    ended = [...ended, ...done.map((beam) => ({ ...beam, isCut: false }))].sort(byScore).slice(0, beams);
    const worst = ended.length < beams ? -Infinity : (ended.at(-1)?.score ?? -Infinity);
    open = longer
      .filter(({ token, score }) => token !== end && score > worst)
      .slice(0, beams)
      .map(({ beam, token, score }) => ({ tokens: [...beam.tokens, token], score, isCut: true }));
  }
  return [...ended, ...open].sort(byScore).slice(0, beams);
}

interface Extended {
  readonly beam: Beam;
  readonly token: number;
  readonly score: number;
}

/** The most likely next tokens of a prefix: at most the beam width, plus the end token. */
function extended(beam: Beam, scores: ArrayLike<number>, most: number): Extended[] {
  const all = Array.from(scores);
  const highest = all.reduce((first, second) => Math.max(first, second), -Infinity);
  const norm = highest + Math.log(all.reduce((sum, one) => sum + Math.exp(one - highest), 0));
  return all
    .map((score, token) => ({ beam, token, score: beam.score + score - norm }))
    .sort(byScore)
    .slice(0, most);
}

function byScore(first: { readonly score: number }, second: { readonly score: number }): number {
  return second.score - first.score;
}
