import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { draftedProof, type ProofFacts } from '../../../src/lean/blueprint/proof-sentence.ts';
import { readBlueprint } from '../../../src/lean/blueprint/read.ts';
import { sharedFolder } from '../../helpers/folders.ts';

const file = path.join(sharedFolder(), 'content.tex');
writeFileSync(
  file,
  String.raw`\begin{definition}\label{def:len}\lean{len}\end{definition}
\begin{lemma}\label{lem:append}\lean{len_append} A.\end{lemma}
\begin{theorem}\label{thm:rev}\lean{len_rev}\uses{lem:append} B.\end{theorem}
`,
);
const blueprint = readBlueprint(file);

const drafted = (facts: ProofFacts): string =>
  draftedProof({ id: 'thm:rev', declarations: ['len_rev'] }, facts, blueprint);

test('names the method, the nodes and the library lemmas of a proof, and nothing that Lean inserted', () => {
  const constants = [
    'len_rev',
    'len_append',
    'Nat.add_comm',
    'List.rec',
    'Eq.mpr',
    'of_eq_true',
    'len_rev._proof_1',
  ];
  const text = drafted({
    script: 'by\n  induction xs with\n  | nil => rfl -- cases\n  | cons x xs ih => omega',
    constants,
  });
  expect(text).toContain(String.raw`\uses{lem:append}`);
  expect(text.split('\n').at(-1)).toBe(
    String.raw`  This follows by induction on \texttt{xs} and arithmetic, using Lemma~\ref{lem:append} and \texttt{Nat.add\_comm}.`,
  );
});

test.each([
  [{ constants: [] }, 'This follows from the definitions.'],
  [{ constants: ['List.rec'] }, 'This follows by induction.'],
  [{ script: 'by decide', constants: [] }, 'This follows by computation.'],
  [{ constants: ['len'] }, String.raw`This follows from Definition~\ref{def:len}.`],
  [
    { script: 'by\n  rcases h with a | b <;> simp_all', constants: ['Nat.le_of_lt'] },
    String.raw`This follows by a case distinction, using \texttt{Nat.le\_of\_lt}.`,
  ],
])('%j', (facts, sentence) => {
  expect(drafted(facts).split('\n').at(-1)?.trim()).toBe(sentence);
});
