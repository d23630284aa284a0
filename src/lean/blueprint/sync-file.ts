import { readFileSync } from 'node:fs';
import { writeWhole } from '../../io/whole-file.ts';
import { UserError } from '../../core/errors.ts';
import type { Verdict } from '../gate/verdict.ts';
import type { Blueprint } from './blueprint.ts';
import { applyEdits } from './edits.ts';
import { isProved, type LeanName } from './lean-side.ts';
import { blueprintOf } from './read.ts';
import type { ProofFacts } from './proof-sentence.ts';
import { planSync, type SyncStep } from './sync.ts';

/**
 * Marks the blueprint nodes whose declarations are all accepted and replayed according to these verdicts. Removes no marks, since other declarations were not judged. Does nothing without a blueprint.
 */
export function markProved(
  project: string,
  verdicts: readonly Verdict[],
  scripts: ReadonlyMap<string, ProofFacts> = new Map(),
): void {
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
  const marked = new Set(here.map(({ id }) => id));
  writeSteps(
    blueprint,
    planSync(blueprint, { names, unread: new Map() }, 'replayed', scripts).filter(({ node }) =>
      marked.has(node),
    ),
  );
}

/** The kernel accepted it: it contains no `sorry`; its dependencies are not checked here. */
const theorem = (verdict: Verdict): LeanName => ({
  kind: 'declared',
  file: '',
  verdict,
  isTheorem: true,
  isAxiom: false,
  inType: new Set(),
  inValue: new Set(),
  statement: '',
});

/** The nodes of a project's blueprint that name a declaration. */
export function nodesNaming(project: string, name: string): string[] {
  const statements = blueprintOf(project)?.statements ?? [];
  return statements.filter(({ declarations }) => declarations.includes(name)).map(({ id }) => id);
}

/** Applies the steps, writing each file once and atomically; files that changed meanwhile are not overwritten. */
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
