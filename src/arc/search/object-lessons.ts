import { definite } from '../../core/errors.ts';
import { isScattered, objectKinds, type ObjectKind } from '../grid/objects.ts';
import { sceneOf, valueFor, type BodyScene } from '../language/actions.ts';
import { featureColumn, featurePrice, objectFeatureNames } from '../language/features/features.ts';
import type { Image } from '../language/image.ts';
import type { Arguments } from '../language/operation.ts';
import { makingImage } from '../language/registry.ts';
import { Scan } from '../language/scan.ts';
import { offered } from '../language/vocabulary.ts';
import { decide, type Column, type Decision, type LearnLimits } from './decide.ts';

/** The common data of the learners of moves and treatments: every object is a row, and its features are columns. */
export interface ObjectLesson {
  readonly objects: ObjectKind;
  readonly scenes: readonly BodyScene[];
  readonly columns: () => readonly Column[];
}

interface MostObjects {
  /** In one image. */
  readonly inImage: number;
  /** In all training inputs. */
  readonly inAll: number;
}

/**
 * One lesson for each kind of object, more likely kinds first; kinds that give the same objects share one. Objects whose cells
 * do not touch are used only if no rule so far passes leave-one-out.
 */
export function* objectLessons(
  bases: readonly Image[],
  trainPairs: number,
  { work }: LearnLimits,
  most: MostObjects,
  holds: () => boolean,
): Generator<ObjectLesson> {
  const scans = bases.map((base) => new Scan(base));
  const seen = new Set<string>();
  for (const objects of objectKinds) {
    if (work.isOver || (isScattered(objects) && holds())) return;
    const sets = scans.map((scan) => scan.objects(objects));
    const key = sets.map(({ found }) => found.labels.join()).join('|');
    if (seen.has(key) || sets.some(({ images }) => images.length === 0 || images.length > most.inImage))
      continue;
    if (sets.slice(0, trainPairs).reduce((sum, { images }) => sum + images.length, 0) > most.inAll) continue;
    seen.add(key);
    const scenes = sets.map((set, i) => sceneOf(definite(bases[i]), set));
    let columns: readonly Column[] | undefined;
    yield { objects, scenes, columns: () => (columns ??= objectColumns(scans, scenes)) };
  }
}

/** Features of whole objects. */
function objectColumns(scans: readonly Scan[], scenes: readonly BodyScene[]): Column[] {
  const columns: Column[] = [];
  const seen = new Set<string>();
  for (const name of offered('object feature', objectFeatureNames)) {
    const values = Uint8Array.from(
      scenes.flatMap(({ bodies }, i) => {
        const column = featureColumn(definite(scans[i]), name);
        return bodies.map((body) => valueFor(column, body));
      }),
    );
    const key = values.join();
    if (seen.has(key)) continue;
    seen.add(key);
    columns.push({ name, values, kinds: Math.max(...values) + 1, price: featurePrice(name) });
  }
  return columns;
}

/** Tables over the objects' features; in addition to other features, "any" would add nothing. */
export function decideObjects(
  { scenes, columns }: ObjectLesson,
  trainPairs: number,
  lesson: { readonly right: Uint32Array; readonly answers: readonly string[] },
  limits: LearnLimits,
  most: number,
): (Decision & { readonly features: readonly string[] })[] {
  const pairEnd: number[] = [];
  for (const { bodies } of scenes) pairEnd.push((pairEnd.at(-1) ?? 0) + bodies.length);
  const { decided } = decide({ columns: columns(), pairEnd, trainPairs, ...lesson }, limits, most);
  return decided
    .map((one) => ({ ...one, features: one.columns.map(({ name }) => name) }))
    .filter(({ features }) => features.length === 1 || !features.includes('any'));
}

/** The cost of a table of moves or treatments, from its features and its answers. */
export function objectRuleCost({ columns, unknownCells }: Decision, said: number): number {
  return 10 + 5 * columns.length + (unknownCells > 0 ? 15 : 0) + said;
}

/** Whether a learned step gives every training output. */
export function fitsOutputs(
  op: string,
  args: Arguments,
  bases: readonly Image[],
  targets: readonly Image[],
  same: (a: number | undefined, b: number | undefined) => boolean = (a, b) => a === b,
): boolean {
  const apply = makingImage(op, args);
  return targets.every((target, i) => {
    const base = definite(bases[i]);
    const result = apply(base, base);
    return result !== null && target.cells.every((cell, at) => same(cell, result.cells[at]));
  });
}
