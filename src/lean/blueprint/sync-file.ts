import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../io/whole-file.ts';
import { UserError } from '../../core/errors.ts';
import type { Gate } from '../gate/gate.ts';
import type { LeanPool } from '../pool.ts';
import type { Blueprint } from './blueprint.ts';
import { applyEdits } from './edits.ts';
import { readLeanSide, type LeanFile } from './lean-side.ts';
import { readBlueprint } from './read.ts';
import { planSync, type SyncStep } from './sync.ts';

/** Brings the nodes of a project's blueprint in line whose declarations one file holds; a project without one has none. */
export async function syncFile(
  lean: { readonly pool: LeanPool; readonly gate: Gate },
  project: string,
  file: LeanFile,
): Promise<void> {
  const blueprint = openBlueprint(project);
  if (!blueprint) return;
  const names = blueprint.statements.flatMap(({ declarations }) => declarations);
  const side = await readLeanSide(lean, [file], names);
  const here = blueprint.statements.filter(({ declarations }) =>
    declarations.every((name) => side.names.get(name)?.kind === 'declared'),
  );
  writeSteps(blueprint, planSync({ ...blueprint, statements: here }, side, 'replayed'));
}

/** The nodes of a project's blueprint that name a declaration. */
export function nodesNaming(project: string, name: string): string[] {
  const statements = openBlueprint(project)?.statements ?? [];
  return statements.filter(({ declarations }) => declarations.includes(name)).map(({ id }) => id);
}

/** Writes what steps change, each file once and whole; nothing is written over what somebody else has written meanwhile. */
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

function openBlueprint(project: string): Blueprint | undefined {
  try {
    return readBlueprint(path.join(project, 'blueprint'));
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
