import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  maxNesting,
  maxRequestBytes,
  parseBody,
  parseEnvelope,
  refuseOversized,
} from '../../../src/lean/base/protocol.ts';

describe('messages of a worker', () => {
  test('text that is not an envelope is not accepted as an answer', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        const parsed = parseEnvelope(line);
        if (parsed) expect(typeof parsed.body.ok).toBe('boolean');
      }),
    );
  });

  test('an answer without its operation’s fields is a crash, never a success', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(parseBody('check', body)).toMatchObject({ ok: false });
      }),
    );
    expect(parseBody('check', { ok: true, name: 't' })).toMatchObject({ ok: false, kind: 'crash' });
    expect(parseBody('step', { ok: false, kind: 'no such kind', message: '' })).toMatchObject({
      kind: 'crash',
    });
  });
});

describe('limits of requests', () => {
  test('a request may have exactly the maximum size', () => {
    expect(refuseOversized('x'.repeat(maxRequestBytes))).toBeUndefined();
    expect(refuseOversized('→'.repeat(Math.ceil(maxRequestBytes / 3) + 1))).toMatchObject({
      kind: 'invalid-request',
    });
  });

  test.each(['(', '[', '{', '⟨'])('nesting of %s', (bracket) => {
    expect(refuseOversized(bracket.repeat(maxNesting))).toBeUndefined();
    expect(refuseOversized(bracket.repeat(maxNesting + 1))).toMatchObject({ kind: 'invalid-request' });
  });

  test('brackets in sequence do not count as nesting', () => {
    expect(refuseOversized('(x)'.repeat(10 * maxNesting))).toBeUndefined();
  });
});
