/** Wilson's 95 % interval for a proportion. */
export function intervalOf(hits: number, count: number): readonly [low: number, high: number] {
  if (count === 0) return [0, 1];
  const z = 1.96;
  const [share, square] = [hits / count, (z * z) / count];
  const middle = (share + square / 2) / (1 + square);
  const half = (z / (1 + square)) * Math.sqrt((share * (1 - share)) / count + square / (4 * count));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
