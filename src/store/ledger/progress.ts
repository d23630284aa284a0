import type { ProgressPoint } from '../../shared/api.ts';

export interface Closing {
  readonly at: number;
  readonly goal: string;
  readonly solved: boolean;
}

/**
 * The number of closed and solved goals over time. A goal that was retried and closed again counts once, with its first result.
 */
export function progressFrom(closings: readonly Closing[], points: number): ProgressPoint[] {
  const ends = new Map<string, boolean>();
  let solved = 0;
  const all = closings.map((closing): ProgressPoint => {
    solved += Number(closing.solved) - Number(ends.get(closing.goal) ?? false);
    ends.set(closing.goal, closing.solved);
    return { at: closing.at, closed: ends.size, solved };
  });
  const step = Math.max(1, Math.ceil(all.length / points));
  return all.filter((_, index) => (all.length - 1 - index) % step === 0);
}
