import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** The names that a file of ours declares and exports. */
function exportedBy(file: string): string[] {
  const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return [];
    const { declaration } = statement;
    if (declaration.type === 'VariableDeclaration')
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    return 'id' in declaration && declaration.id && 'name' in declaration.id ? [declaration.id.name] : [];
  });
}

test('at most five exported names are declared in two files', () => {
  const files = globSync('src/**/*.ts', { cwd: root });
  const declared = files.flatMap((file) => [...new Set(exportedBy(file))].map((name) => ({ name, file })));
  const twice = [...Map.groupBy(declared, ({ name }) => name)].filter(([, places]) => places.length > 1);
  expect(declared.length).toBeGreaterThan(1000);
  expect(twice.map(([name]) => name).slice(5)).toEqual([]);
});
