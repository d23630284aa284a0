import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingsFrom } from '../../../src/app/settings.ts';
import { readBlueprint } from '../../../src/lean/blueprint/read.ts';
import { stateBlueprint } from '../../../src/lean/blueprint/states.ts';

/** Real blueprints (`ORCH_DATA`/blueprints), counted a second time by plain text search. */
const { data } = settingsFrom();
if (data === undefined) throw new Error('set ORCH_DATA to the folder that holds blueprints/');

const kinds = 'definition|lemma|proposition|theorem|corollary';

describe.each(['FLT', 'pfr', 'sphere-eversion'])('%s', (project) => {
  const place = path.join(data, 'blueprints', project);
  const text = wholeText(path.join(place, 'blueprint', 'src'), 'web.tex');
  const { blueprint, states } = stateBlueprint(readBlueprint(place));
  const bodies = [...text.matchAll(new RegExp(String.raw`\\begin\{(${kinds})\}(.*?)\\end\{\1\}`, 'gs'))].map(
    ([, , body = '']) => body,
  );
  const having = (macro: RegExp): number => bodies.filter((body) => macro.test(body)).length;
  const count = (word: 'stated' | 'mathlib' | 'not_ready'): number =>
    [...states.values()].filter((state) => state[word]).length;

  test('the nodes', () => expect(blueprint.statements).toHaveLength(bodies.length));
  test('stated', () => expect(count('stated')).toBe(having(/\\leanok|\\mathlibok/)));
  test('in Mathlib', () => expect(count('mathlib')).toBe(having(/\\mathlibok/)));
  test('not ready', () => expect(count('not_ready')).toBe(having(/\\notready/)));
  test('names in Lean', () => {
    const names = bodies.flatMap(
      (body) => [...body.matchAll(/\\lean\{([^}]*)\}/g)].at(-1)?.[1]?.split(',') ?? [],
    );
    expect(blueprint.statements.flatMap(({ declarations }) => declarations)).toEqual(
      names.map((name) => name.trim()).filter((name) => name !== ''),
    );
  });
});

/** The document as one text: comments cut off, `\input`s followed. */
function wholeText(folder: string, name: string): string {
  const file = path.join(folder, name.endsWith('.tex') ? name : `${name}.tex`);
  return readFileSync(file, 'utf8')
    .replaceAll(/(?<!\\)%.*/g, '')
    .replaceAll(/\\input\s*\{([^}]*)\}/g, (_, input: string) => wholeText(folder, input.trim()));
}
