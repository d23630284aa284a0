/** Results with more bits are not computed, and not unfolded either, which would take even longer. */
const MAX_BITS = 1 << 24;

/** Euclid's algorithm is quadratic. */
const MAX_GCD_BITS = 1 << 16;

/** `null`: the numbers are too large. */
export type NatOperation = (a: bigint, b: bigint) => bigint | boolean | null;

const bits = (a: bigint): number => a.toString(16).length * 4;

function gcd(a: bigint, b: bigint): bigint | null {
  let [x, y] = [a, b];
  if (x > 1n && y > 1n && Math.min(bits(x), bits(y)) > MAX_GCD_BITS) return null;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function power(a: bigint, b: bigint): bigint | null {
  if (a <= 1n) return b === 0n ? 1n : a;
  return b > BigInt(MAX_BITS) || BigInt(bits(a)) * b > BigInt(MAX_BITS) ? null : a ** b;
}

function shiftLeft(a: bigint, b: bigint): bigint | null {
  if (a === 0n) return a;
  return b > BigInt(MAX_BITS) || BigInt(bits(a)) + b > BigInt(MAX_BITS) ? null : a << b;
}

/** Implementations of binary `Nat` functions, by the last part of their name. */
export const natOperations: ReadonlyMap<string, NatOperation> = new Map<string, NatOperation>([
  ['add', (a, b) => a + b],
  ['sub', (a, b) => (a > b ? a - b : 0n)],
  ['mul', (a, b) => (bits(a) + bits(b) > MAX_BITS ? null : a * b)],
  ['pow', power],
  ['div', (a, b) => (b === 0n ? 0n : a / b)],
  ['mod', (a, b) => (b === 0n ? a : a % b)],
  ['gcd', gcd],
  ['beq', (a, b) => a === b],
  ['ble', (a, b) => a <= b],
  ['land', (a, b) => a & b],
  ['lor', (a, b) => a | b],
  ['xor', (a, b) => a ^ b],
  ['shiftLeft', shiftLeft],
  ['shiftRight', (a, b) => (b >= BigInt(bits(a)) ? 0n : a >> b)],
]);
