import fc from 'fast-check';

/** Text of any code points. `unit: 'binary'` gives the same, but needs a second of CPU time for its first text. */
export function anyCodePoints(constraints: fc.ArrayConstraints = {}): fc.Arbitrary<string> {
  return fc
    .array(fc.integer({ min: 0, max: 0x10_ff_ff }), constraints)
    .map((points) => String.fromCodePoint(...points));
}
