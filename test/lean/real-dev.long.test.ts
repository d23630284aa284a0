import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingsFrom } from '../../src/app/settings.ts';
import type { Claim } from '../../src/lean/gate/gate.ts';
import { checkClaim, openPool } from '../helpers/lean.ts';

interface Row {
  readonly id: string;
  readonly preamble: string;
  readonly statement: string;
  readonly reference_proof: string;
  readonly has_axioms: boolean;
}

function rows(): Row[] {
  const folder = settingsFrom().data;
  const file = path.join(folder ?? '', 'lean', 'real-dev.jsonl');
  if (folder === undefined || !existsSync(file))
    throw new Error(
      `the problem set ${file} is missing; ORCH_DATA names the folder that holds lean/real-dev.jsonl`,
    );
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

/** A row whose source declares axioms may use them. */
function claimOf(row: Row): Claim {
  const declared = [...row.preamble.matchAll(/\baxiom\s+(\S+)/g)].map(([, name = '']) => name);
  const namespaces = [...row.preamble.matchAll(/^\s*namespace\s+(\S+)/gm)].map(([, name = '']) => name);
  const prefixes = ['', ...namespaces.map((_, depth) => `${namespaces.slice(0, depth + 1).join('.')}.`)];
  const qualified = declared.flatMap((name) => prefixes.map((prefix) => prefix + name));
  const { preamble, statement, reference_proof: proof } = row;
  return { preamble, statement, proof, allowAxioms: row.has_axioms ? qualified : [] };
}

describe('real-dev', () => {
  test('at least 103 of the 106 reference proofs are accepted', async () => {
    await using pool = await openPool({ slots: 2, spare: true });
    const left = rows();
    const total = left.length;
    const refused: string[] = [];
    const serve = async (): Promise<void> => {
      for (let row = left.pop(); row; row = left.pop()) {
        const { verdict, kind, message } = await checkClaim(pool, claimOf(row), { deadlineMs: 120_000 });
        if (verdict !== 'accepted') refused.push(`${row.id}: ${verdict}, ${kind}: ${message}`);
      }
    };
    await Promise.all([serve(), serve()]);
    console.log(`${total - refused.length} of ${total} accepted\n${refused.join('\n')}`);
    expect(total).toBe(106);
    expect(total - refused.length).toBeGreaterThanOrEqual(103);
  });
});
