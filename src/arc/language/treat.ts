import { definite } from '../../core/errors.ts';
import { objectKinds } from '../grid/objects.ts';
import { sceneOf, valueFor } from './actions.ts';
import { featureColumn, objectFeatureNames } from './features/features.ts';
import { withCells } from './image.ts';
import { imageToImage, type Answers, type RuleOperation } from './operation.ts';
import { Scan } from './scan.ts';
import { isTreatmentColour } from './treatment-colours.ts';
import { isTreatment, treatmentParts, written } from './treatments.ts';

/** Learned treatments: a table maps features of an object to a change of it in place. */
const treatmentAnswers: Answers = { description: 'a treatment', knows: isTreatment };

/** Where treatments write: on empty cells of the image only, or on all. */
export const writings = ['empty', 'all'] as const;
export type Writing = (typeof writings)[number];

export const mostTreated = 60;

export const treatOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'treat_objects',
    summary: 'treat every object ({objects}) by {features} ({table}), on {on} cells',
    parameters: {
      objects: { kind: 'choice', of: objectKinds },
      features: { kind: 'names', of: objectFeatureNames },
      table: { kind: 'table', keyed: 'features', answers: treatmentAnswers },
      on: { kind: 'choice', of: writings },
    },
    search: [],
    price: ({ features, table }) => 10 + 5 * features.length + treatmentsPrice(Object.values(table)),
    make: (args) => (source) => {
      const scan = new Scan(source);
      const set = scan.objects(args.objects);
      if (set.images.length > mostTreated) return null;
      const scene = sceneOf(source, set);
      const columns = args.features.map((name) => featureColumn(scan, name));
      const cells = source.cells.slice();
      const treatments = scene.bodies.map((body) => {
        const key = columns.map((column) => valueFor(column, body)).join(',');
        return args.table[key] ?? 'keep';
      });
      // cells of dropped objects are free for other objects
      const order = [...treatments.keys()].sort(
        (a, b) => Number(treatments[b] === 'drop') - Number(treatments[a] === 'drop') || a - b,
      );
      for (const self of order) {
        const { places, colours } = written(source, scene, self, definite(treatments[self]));
        for (const [i, place] of places.entries())
          if (args.on === 'all' || source.cells[place] === 0) cells[place] = colours[i] ?? 0;
      }
      return withCells(source, cells);
    },
  }),
];

/** Naming a colour is an additional decision. */
export function treatmentsPrice(treatments: readonly string[]): number {
  let price = 0;
  for (const treatment of treatments.flatMap(treatmentParts))
    price +=
      treatment === 'keep'
        ? 0.25
        : isTreatmentColour(treatment.slice(treatment.lastIndexOf(' ') + 1))
          ? 4
          : 3;
  return Math.round(price);
}
