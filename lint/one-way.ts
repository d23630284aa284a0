import path from 'node:path';
import type { ESTree, Plugin, Rule } from 'oxlint/plugins-dev';
import { mayImport, moduleOf } from './modules.ts';

const root = path.dirname(import.meta.dirname);

/** Imports run one way: `lint/modules.ts` says which. */
const oneWay: Rule = {
  create(context) {
    const file = path.relative(root, context.filename);
    const check = (source: ESTree.Node): void => {
      if (source.type !== 'Literal' || typeof source.value !== 'string' || !source.value.startsWith('.'))
        return;
      const target = path.join(path.dirname(file), source.value);
      if (mayImport(file, target)) return;
      context.report({
        node: source,
        message: `${moduleOf(file)?.folder} may not import from ${moduleOf(target)?.folder} (lint/modules.ts).`,
      });
    };
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => source && check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
    };
  },
};

const plugin: Plugin = { meta: { name: 'modules' }, rules: { 'one-way': oneWay } };
export default plugin;
