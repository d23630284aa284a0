import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDrift, renewRecord } from '../../../src/lean/blueprint/drift.ts';
import { applyEdits, insertMacro, removeMacro } from '../../../src/lean/blueprint/edits.ts';
import { findLeanRemarks } from '../../../src/lean/blueprint/lean-remarks.ts';
import { readLeanSide, type LeanSide } from '../../../src/lean/blueprint/lean-side.ts';
import { newNode } from '../../../src/lean/blueprint/new-node.ts';
import { readSource } from '../../../src/lean/blueprint/node-source.ts';
import { readBlueprint } from '../../../src/lean/blueprint/read.ts';
import { stateBlueprint } from '../../../src/lean/blueprint/states.ts';
import { planSync } from '../../../src/lean/blueprint/sync.ts';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();

const leanText = `namespace Demo
/-- Twice a number: \`n + n\`. -/
def double (n : Nat) : Nat := n + n
def helper (n : Nat) : Prop := double n = 2 * n
theorem double_eq (n : Nat) : helper n := by unfold helper double; omega
theorem open_one (n : Nat) : double n = n + n := sorry
theorem uses_it (n : Nat) (h : 0 < n) : double n + 0 = 2 * n := double_eq n
theorem cheat : 1 = 2 := by exact absurd rfl sorry
end Demo
`;

const words = String.raw`\begin{definition}[Double]\label{def:double}
  \lean{Demo.double}
  Twice.
\end{definition}
\begin{lemma}\label{lem:eq}\lean{Demo.double_eq}\uses{def:double} It is $2n$.\end{lemma}
\begin{proof} % an old \leanok
  Clear.
\end{proof}
\begin{lemma}\label{lem:open}\leanok\lean{Demo.open_one}\uses{lem:eq} Open.\end{lemma}
\begin{proof}
  \leanok
  Forged.
\end{proof}
\begin{theorem}\label{thm:main}\lean{Demo.uses_it}\leanok\uses{def:double}
  Main.
\end{theorem}
\begin{lemma}\label{lem:gone}\leanok\lean{Demo.gone} Gone.\end{lemma}
\begin{proof}\leanok\end{proof}
\begin{lemma}\label{lem:library}\lean{Nat.add_comm}\leanok Known.\end{lemma}
\begin{proof}\leanok\end{proof}
\begin{remark}\leanok no node \end{remark}
`;

let folder: string;
let file: string;
let side: LeanSide;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'orch-blueprint-'));
  file = path.join(folder, 'content.tex');
  side = await ask(leanText);
});

afterAll(() => rmSync(folder, { recursive: true }));

const open = () => stateBlueprint(readBlueprint(file));

async function ask(text: string): Promise<LeanSide> {
  const names = ['double', 'double_eq', 'open_one', 'uses_it', 'gone'].map((name) => `Demo.${name}`);
  const gate = new Gate(lean.pool, lean.pool);
  return await readLeanSide(
    { pool: lean.pool, gate },
    [{ file: 'Demo.lean', text }],
    [...names, 'Nat.add_comm'],
  );
}

function sync(of: LeanSide): string {
  for (const { edit } of planSync(open().blueprint, of, 'axioms-clean').toReversed())
    if (edit) writeFileSync(file, applyEdits(readFileSync(file, 'utf8'), [edit]));
  return readFileSync(file, 'utf8');
}

describe('sync', () => {
  beforeAll(() => writeFileSync(file, words));

  test('marks what Lean accepts, unmarks what it does not, and changes nothing else', () => {
    expect(
      planSync(open().blueprint, side, 'axioms-clean').map(({ node, part, change }) => [change, part, node]),
    ).toEqual([
      ['add', 'statement', 'def:double'],
      ['add', 'statement', 'lem:eq'],
      ['add', 'proof', 'lem:eq'],
      ['remove', 'proof', 'lem:open'],
      ['add', 'proof', 'thm:main'],
      ['remove', 'statement', 'lem:gone'],
      ['remove', 'proof', 'lem:gone'],
    ]);
    const after = sync(side);
    expect(withoutMarks(after)).toBe(withoutMarks(words));
    expect(planSync(open().blueprint, side, 'axioms-clean')).toEqual([]);
    expect(after).toContain(String.raw`This follows from Lemma~\ref{lem:eq}.`);
    expect(after).toContain(String.raw`\begin{proof}
  Forged.`);
  });

  test('an unreached assurance level marks nothing', () => {
    const steps = planSync(open().blueprint, side, 'replayed');
    expect(steps.map(({ change, node }) => [change, node])).toEqual([
      ['remove', 'lem:eq'],
      ['remove', 'thm:main'],
    ]);
  });

  test('a file that cannot be read changes nothing', async () => {
    const unread = await ask('import Nowhere\n');
    expect([...unread.unread.keys()]).toEqual(['Demo.lean']);
    expect(planSync(open().blueprint, unread, 'axioms-clean').filter(({ edit }) => edit)).toEqual([]);
  });
});

test('check reports unknown names, wrong marks and dependencies that differ between Lean and blueprint', () => {
  writeFileSync(file, words);
  expect(findLeanRemarks(open(), side).map(({ kind, message }) => [kind, message])).toEqual([
    ['not-proved', 'lem:open is marked as proved, but Demo.open_one is not: the proof contains sorry'],
    ['missing-declaration', 'lem:gone names Demo.gone, which does not exist'],
    ['unlisted-use', 'lem:open uses def:double in Lean, but does not list it'],
    ['unlisted-use', 'thm:main uses lem:eq in Lean, but does not list it'],
  ]);
});

test('drift reports statements changed directly or through a definition, and changed wording', async () => {
  writeFileSync(file, words);
  sync(side);
  const record = renewRecord({ version: 1, statements: {} }, open().blueprint, side, false);
  expect(findDrift(record, open().blueprint, side)).toEqual([]);
  const changed = await ask(leanText.replace('n + n\ndef helper', 'n + n + 0\ndef helper'));
  writeFileSync(file, readFileSync(file, 'utf8').replace('Main.', 'Another main.'));
  const found = findDrift(record, open().blueprint, changed).map(({ message }) => message);
  expect(found).toContain('Demo.double_eq has another meaning than when lem:eq was stated');
  expect(found).toContain('the text of thm:main has changed since it was stated');
  expect(findDrift(renewRecord(record, open().blueprint, changed, true), open().blueprint, changed)).toEqual(
    [],
  );
});

test('a new node has its text, its name and its dependencies', async () => {
  writeFileSync(file, words.replaceAll(/^.*thm:main[\s\S]*?theorem\}\n/gm, ''));
  const { blueprint } = open();
  const theorem = await readSource(lean.pool, leanText, 'Demo.uses_it', true, { label: 'thm:main' });
  expect(newNode(theorem, blueprint, side)).toBe(String.raw`\begin{lemma}\label{thm:main}
  \lean{Demo.uses_it}
  \uses{def:double, lem:eq}
  Let \texttt{n : Nat}, \texttt{h : 0 < n}.
  Then \texttt{Demo.double n + 0 = 2 * n}.
\end{lemma}
`);
  const definition = await readSource(lean.pool, leanText, 'Demo.double', false, undefined);
  expect(newNode(definition, blueprint, side)).toContain(String.raw`Twice a number: \texttt{n + n}.`);
});

/** The author's words: no marks, and no proofs that orch drafted. */
function withoutMarks(text: string): string {
  return text
    .replaceAll(/\s*\\leanok/g, '')
    .replaceAll(
      /\s*\\begin\{proof\}\s*(?:\\uses\{.*\}\s*% orch drafted.*\s*This follows.*\s*)?\\end\{proof\}/g,
      '',
    );
}

function put(text: string, at: number): string {
  return applyEdits(text, [insertMacro(text, at, String.raw`\leanok`)]);
}

function take(text: string): string {
  const start = text.indexOf(String.raw`\leanok`);
  return applyEdits(text, [removeMacro(text, start, start + 7)]);
}

test('edits go on a separate line or after existing text, never inside it', () => {
  expect(put('ab', 1)).toBe(String.raw`a\leanok b`);
  expect(put('a\n    b', 1)).toBe('a\n    \\leanok\n    b');
  expect(take('a\n  \\leanok\nb')).toBe('a\nb');
  expect(take('\\a \\leanok b')).toBe('\\a b');
  expect(take('\\a\\leanok b')).toBe('\\a b');
  expect(put('a\r\n  b\r\n', 1)).toBe('a\r\n  \\leanok\r\n  b\r\n');
});
