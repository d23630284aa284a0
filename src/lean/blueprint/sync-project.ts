import type { Assurance } from '../../shared/assurance.ts';
import type { LeanSide } from './lean-side.ts';
import { readBlueprint } from './read.ts';
import { writeSteps } from './sync-file.ts';
import { planSync, type SyncStep } from './sync.ts';

/** A duplicate mark is removed twice. */
const rounds = 5;

/** Writes the marks of a blueprint that Lean confirms. Returns what it changed, and what it could not decide. */
export function syncBlueprint(place: string, lean: LeanSide, level: Assurance): readonly SyncStep[] {
  let blueprint = readBlueprint(place);
  let steps = planSync(blueprint, lean, level);
  const told = [...steps];
  for (let round = 0; round < rounds && steps.some(({ edit }) => edit); round++) {
    writeSteps(blueprint, steps);
    blueprint = readBlueprint(place);
    steps = planSync(blueprint, lean, level);
  }
  return told;
}
