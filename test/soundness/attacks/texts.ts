import type { ClaimAttack } from '../attack.ts';

/** The text itself as a weapon: what closes early, swallows the rest or hides in bytes. */
const row = (
  disguise: string,
  { statement = 'theorem t : 1 = 2', proof = 'by sorry', ...more }: Partial<ClaimAttack>,
): ClaimAttack => ({
  sort: 'text',
  disguise,
  statement,
  proof,
  kind: ['statement', 'parse', 'sorry', 'elaboration'],
  judged: null,
  ...more,
});

export const textAttacks: readonly ClaimAttack[] = [
  row('a statement that closes the theorem and opens another', {
    statement: 'theorem u : True := trivial\ntheorem t : 1 = 2',
    proof: 'by sorry',
  }),
  row('a statement that ends in a comment which swallows the proof', {
    statement: 'theorem t : True := trivial --',
    proof: 'by sorry',
  }),
  row('a statement that opens a comment which the proof closes', {
    statement: 'theorem t : 1 = 2 /-',
    proof: '-/ : True) := trivial',
  }),
  row('a statement that opens a comment which the proof closes well', {
    statement: 'theorem t : (True /-',
    proof: '-/ ) := trivial',
  }),
  row('a statement that leaves a bracket open', { statement: 'theorem t : (1 = 2', proof: '2) := trivial' }),
  row('a statement that leaves a string open', {
    statement: 'theorem t : "a" = "',
    proof: '" := rfl',
  }),
  row('a statement with default values that swallow the proof', {
    statement: 'theorem t (h : 1 = 2 := sorry) : 1 = 2',
    proof: 'by exact (by assumption : 1 = 3)',
  }),
  row('a statement by `where`', {
    statement: 'theorem t : True where x := trivial\ntheorem u : 1 = 2',
    proof: 'sorry',
  }),
  row('a statement that is an instance', { statement: 'instance t : True', proof: 'trivial' }),
  row('a statement that is a definition', { statement: 'def t : 1 = 2', proof: 'sorry' }),
  row('a statement that is an axiom', { statement: 'axiom t : 1 = 2', proof: 'sorry' }),
  row('a statement behind `… in`', { statement: 'open Nat in theorem t : 1 = 2', proof: 'sorry' }),
  row('a statement in a `mutual` block', {
    statement: 'mutual theorem u : True := trivial theorem t : 1 = 2',
    proof: 'sorry end',
  }),
  row('a proof that ends the namespace of the preamble', {
    preamble: 'namespace A',
    proof: 'by sorry\nend A\ntheorem A.t : True := trivial',
  }),
  row('a proof that starts another theorem of the same name', {
    proof: 'by sorry\nnamespace A\ntheorem t : True := trivial\nend A',
  }),
  row('a proof after `#exit`', { proof: '#exit rfl' }),
  row('a proof that begins with the end of a statement', { proof: 'rfl : 1 = 1) := by sorry' }),
  row('a preamble whose comment swallows the statement', { preamble: '/-', proof: 'rfl' }),
  row('a preamble whose section ends in the statement', {
    preamble: 'section\nvariable (h : 1 = 2)\ninclude h',
    statement: 'theorem t : 1 = 2 := h\nend\ntheorem u : 1 = 2',
    proof: 'h',
  }),
  row('a statement that is not finished', { statement: 'theorem t : sorry', proof: 'by sorry' }),
  row('a statement that assumes what is not finished', {
    statement: 'theorem t (h : sorry) : sorry',
    proof: 'h',
  }),
  row('a statement with an unfinished number in it', {
    statement: 'theorem t : (sorry : Nat) = sorry',
    proof: 'rfl',
  }),
  row('a NUL in the statement', { statement: 'theorem t : 1 = 1\0 ∨ 1 = 2', proof: 'rfl' }),
  row('a NUL in the proof', { proof: 'rfl\0by sorry' }),
  row('a byte-order mark before the statement', { statement: '\uFEFFtheorem t : 1 = 2' }),
  row('a line that ends in a lone carriage return', {
    statement: 'theorem t : True --\r ∧ 1 = 2',
    proof: 'trivial',
  }),
  row('a comment that ends at CR LF', { statement: 'theorem t : True --\r\n ∧ 1 = 2', proof: 'trivial' }),
  row('a line separator of Unicode in a comment', {
    statement: 'theorem t : True --\u2028 ∧ 1 = 2',
    proof: 'trivial',
  }),
  row('letters that run the other way', { statement: 'theorem t : 1 = \u202E1\u202C2', proof: 'rfl' }),
  row('digits of another alphabet', { statement: 'theorem t : 1 = ２', proof: 'rfl' }),
  row('half a surrogate', {
    statement: 'theorem t : "\uD800" = "\uDC00"',
    proof: 'rfl',
    kind: 'invalid-request',
  }),
  row('ten megabytes of comment', {
    proof: `rfl --${'x'.repeat(10_000_000)}`,
    kind: ['invalid-request', 'elaboration'],
  }),
  row('ten megabytes of statement', {
    statement: `theorem t : 1 = 2 ${'∧ 1 = 1 '.repeat(1_250_000)}`,
    kind: ['invalid-request', 'statement', 'recursion', 'timeout'],
    deadlineMs: 5000,
  }),
];
