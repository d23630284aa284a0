import { readFileSync } from 'node:fs';
import { writeWhole } from '../../io/whole-file.ts';
import { UserError } from '../../core/errors.ts';
import type { Verdict } from '../gate/verdict.ts';
import type { Blueprint } from './blueprint.ts';
import { applyEdits } from './edits.ts';
import { isProved, type LeanName } from './lean-side.ts';
import { blueprintOf } from './read.ts';
import { planSync, type SyncStep } from './sync.ts';

/**
 * Marks the nodes of a project's blueprint all of whose declarations have these verdicts, where that is accepted and replayed.
 * Takes nothing away: of what else there is nothing was heard. A project without a blueprint has no nodes.
 */
export function markProved(project: string, verdicts: readonly Verdict[]): void {
  const blueprint = blueprintOf(project);
  if (!blueprint) return;
  const names = new Map(
    verdicts.flatMap((verdict): [string, LeanName][] =>
      verdict.verdict === 'accepted' && verdict.name !== undefined ? [[verdict.name, theorem(verdict)]] : [],
    ),
  );
  const isHere = (name: string): boolean => {
    const fact = names.get(name);
    return fact !== undefined && isProved(fact, 'replayed') === true;
  };
  const here = blueprint.statements.filter(
    ({ declarations }) => declarations.length > 0 && declarations.every(isHere),
  );
  writeSteps(
    blueprint,
    planSync({ ...blueprint, statements: here }, { names, unread: new Map() }, 'replayed'),
  );
}

/** The kernel has accepted it: there is no `sorry` in it, and what else it mentions is not asked here. */
const theorem = (verdict: Verdict): LeanName => ({
  kind: 'declared',
  file: '',
  verdict,
  isTheorem: true,
  inType: new Set(),
  inValue: new Set(),
  statement: '',
});

/** The nodes of a project's blueprint that name a declaration. */
export function nodesNaming(project: string, name: string): string[] {
  const statements = blueprintOf(project)?.statements ?? [];
  return statements.filter(({ declarations }) => declarations.includes(name)).map(({ id }) => id);
}

/** Writes what steps change, each file once and whole; nothing is written over what someone else has written meanwhile. */
export function writeSteps({ files }: Blueprint, steps: readonly SyncStep[]): void {
  for (const [file, ofFile] of Map.groupBy(steps, (step) => step.file)) {
    const edits = ofFile.flatMap(({ edit }) => edit ?? []);
    if (edits.length === 0) continue;
    const text = files.get(file) ?? '';
    if (readFileSync(file, 'utf8') !== text)
      throw new UserError('BLUEPRINT_CHANGED', `${file} has changed meanwhile`, 'Run it again.');
    writeWhole(file, applyEdits(text, edits));
  }
}
