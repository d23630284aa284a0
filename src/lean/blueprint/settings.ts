import type { BlueprintSettings } from './blueprint.ts';

/** The nodes of a graph unless the project says otherwise, as in leanblueprint. */
export const usualKinds = ['definition', 'lemma', 'proposition', 'theorem', 'corollary'];

/** From the options of `\usepackage[…]{blueprint}`. */
export function readSettings(options: readonly string[]): Omit<BlueprintSettings, 'colours'> {
  const values = new Map(
    options.map((option) => {
      const [key = '', value = ''] = option.split('=').map((part) => part.trim().replace(/^\{(.*)\}$/, '$1'));
      return [key, value] as const;
    }),
  );
  const kinds = values.get('thms');
  return {
    graphBy: values.get('dep_by') || null,
    kinds: kinds === undefined ? usualKinds : kinds.split('+').map((kind) => kind.trim()),
    reduced: !values.has('nonreducedgraph'),
  };
}
