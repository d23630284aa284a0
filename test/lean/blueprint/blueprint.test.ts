import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coverageByChapter } from '../../../src/lean/blueprint/coverage.ts';
import { criticalNodes, criticalPath } from '../../../src/lean/blueprint/critical.ts';
import { graphDot, graphSvg } from '../../../src/lean/blueprint/graph.ts';
import { readBlueprint } from '../../../src/lean/blueprint/read.ts';
import { findRemarks } from '../../../src/lean/blueprint/remarks.ts';
import { stateBlueprint, type NodeState, type StatedBlueprint } from '../../../src/lean/blueprint/states.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { writeSample } from './sample.ts';

let folder: string;
let stated: StatedBlueprint;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'orch-blueprint-'));
  stated = stateBlueprint(readBlueprint(writeSample(folder)));
});

afterAll(() => rmSync(folder, { recursive: true }));

const node = (id: string) => {
  const found = stated.blueprint.statements.find((statement) => statement.id === id);
  if (!found) throw new Error(`no node ${id}`);
  return found;
};

/** The states of a node. */
function words(id: string, of = stated): string[] {
  const statement = of.blueprint.statements.find((other) => other.id === id);
  const state: Partial<NodeState> = (statement && of.states.get(statement)) ?? {};
  return Object.entries(state).flatMap(([word, holds]) => (holds ? [word] : []));
}

describe('reading', () => {
  test('files outside the project are not read, and a blueprint without nodes is valid', () => {
    const project = temporaryFolder();
    const outside = path.join(temporaryFolder(), 'outside.tex');
    const source = path.join(project, 'blueprint', 'src');
    mkdirSync(source, { recursive: true });
    writeFileSync(outside, '\\begin{theorem}\\label{outside}\\end{theorem}\n');
    const leads = ['/dev/zero', outside].map((file) => path.relative(source, file));
    symlinkSync(outside, path.join(source, 'link.tex'));
    const text = [...leads, 'link'].map((name) => `\\input{${name}}\n`).join('');
    writeFileSync(path.join(source, 'content.tex'), text);
    const empty = stateBlueprint(readBlueprint(project));
    expect(empty.blueprint.statements).toEqual([]);
    expect(empty.blueprint.remarks.map(({ kind }) => kind)).toEqual(Array(3).fill('missing-file'));
    expect(criticalNodes(empty)).toEqual([]);
    symlinkSync(outside, path.join(source, 'web.tex'));
    expect(() => readBlueprint(project)).toThrow(/web\.tex is a link to a file outside/);
  });

  test('every statement of a graph kind is read, in order, from all files', () => {
    expect(stated.blueprint.statements.map(({ id, kind, chapter }) => [id, kind, chapter])).toEqual([
      ['def:even', 'definition', 'Numbers'],
      ['lem:double', 'lemma', 'Numbers'],
      ['prop:sum', 'proposition', 'Sums'],
      ['thm:main', 'theorem', 'Sums'],
      ['sums.tex:19', 'corollary', 'Sums'],
      ['lem:next', 'lemma', 'Sums'],
    ]);
  });

  test('titles, names in Lean, labels', () => {
    expect(node('def:even')).toMatchObject({ title: 'Even', declarations: ['Nat.IsEven'] });
    expect(node('lem:double').declarations).toEqual(['double_even', "double_even'"]);
    expect(stated.blueprint.labels.get('item:first')).toEqual({ kind: 'other', insideOf: 'lemma' });
    expect(stated.blueprint.labels.get('eq:main')).toEqual({ kind: 'other', insideOf: 'theorem' });
  });

  test('a second \\uses replaces the first', () => {
    expect(node('prop:sum').uses).toEqual(['def:even', 'lem:double']);
  });

  test('a proof belongs to the statement it names, or to the last one before it in its section', () => {
    expect(node('lem:double').proof?.uses).toEqual(['def:even']);
    expect(node('prop:sum').proof?.uses).toEqual(['lem:double', 'thm:main']);
    expect(node('thm:main').proof).toBeNull();
  });

  test('offsets point to the macro in its file', () => {
    const { file, start, end } = node('lem:double').proof?.leanOk ?? { file: '', start: 0, end: 0 };
    expect(stated.blueprint.files.get(file)?.slice(start, end)).toBe(String.raw`\leanok`);
  });

  test('a folder without a blueprint is refused with a fix', () => {
    expect(() => readBlueprint(path.join(folder, 'nowhere'))).toThrow(/there is no blueprint/);
  });
});

describe('states', () => {
  test('a definition with a Lean statement', () => {
    expect(words('def:even')).toEqual(['stated', 'can_state', 'defined', 'fully_proved']);
  });

  test('a lemma with a finished proof', () => {
    expect(words('lem:double')).toEqual(['stated', 'can_state', 'proved', 'can_prove', 'fully_proved']);
  });

  test('a node that uses an unstated one cannot be proved', () => {
    expect(words('prop:sum')).toEqual(['can_state']);
  });

  test('a macro inside a group does not apply to the statement', () => {
    expect(words('thm:main')).toEqual(['not_ready']);
  });

  test('a node in Mathlib counts as stated', () => {
    expect(words('sums.tex:19')).toEqual(['stated', 'mathlib', 'can_state']);
  });

  test('a formula is never stated, and an unknown label is ignored', () => {
    expect(words('lem:next')).toEqual([]);
  });

  test('with one graph per chapter, the state of a later chapter is unknown', () => {
    const other = path.join(folder, 'by-chapter');
    const numbers = String.raw`\chapter{A}\begin{lemma}\label{a}\uses{b}\leanok\end{lemma}\begin{proof}\leanok\end{proof}
\chapter{B}\begin{lemma}\label{b}\leanok\end{lemma}\begin{proof}\leanok\end{proof}
\chapter{The \texorpdfstring{$m_{1}$}{m}-torsion case, 100\%}\begin{lemma}\label{c}\uses{b}\leanok\end{lemma}\begin{proof}\leanok\end{proof}`;
    const web = String.raw`\usepackage[dep_by=chapter]{blueprint}\input{chapter/numbers}`;
    const chapters = stateBlueprint(
      readBlueprint(writeSample(other, { 'web.tex': web, 'chapter/numbers.tex': numbers })),
    );
    expect(chapters.graphs).toHaveLength(3);
    expect(chapters.blueprint.statements.at(-1)?.chapter).toBe('The m-torsion case, 100%');
    expect(words('a', chapters)).not.toContain('fully_proved');
    expect(words('c', chapters)).toContain('fully_proved');
  });
});

test('warnings name impossible entries', () => {
  expect(findRemarks(stated).map(({ kind, message }) => [kind, message])).toEqual([
    ['unknown-label', 'the statement of lem:next uses lem:nowhere, which is not a label'],
    ['cycle', 'prop:sum uses thm:main uses prop:sum'],
  ]);
});

test('coverage is the sum over the chapters', () => {
  const { chapters, total } = coverageByChapter(stated);
  expect(chapters.map(({ chapter, coverage }) => [chapter, coverage.nodes, coverage.proved])).toEqual([
    ['Numbers', 2, 1],
    ['Sums', 4, 0],
  ]);
  expect(total).toEqual({
    nodes: 6,
    stated: 3,
    proofs: 5,
    proved: 1,
    fully_proved: 2,
    can_state: 1,
    can_prove: 0,
  });
});

test('critical nodes are unproved, and a cycle does not loop forever', () => {
  const nodes = criticalNodes(stated);
  expect(nodes.map(({ statement }) => statement.id)).toEqual(['prop:sum', 'thm:main', 'lem:next']);
  expect(criticalPath(stated)).toHaveLength(2);
});

test('the graph has every node and edge, in leanblueprint’s colours', async () => {
  const dot = await graphDot(stated);
  expect(dot).toMatch(/"def:even"[^;]*color=green[^;]*shape=box|"def:even"[^;]*shape=box[^;]*color=green/s);
  expect(dot).toContain('#1CAC78');
  const svg = await graphSvg(stated);
  expect(svg.match(/class="node"/g)).toHaveLength(6);
});
