import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { libraryExamples } from '../helpers/library-examples.ts';

const index = fileURLToPath(new URL('../../src/index.ts', import.meta.url));

test('an example uses every name that the library exports', () => {
  const exported = namesIn(/export (?:type )?\{([^}]*)\}/g, readFileSync(index, 'utf8'));
  const used = new Set(
    libraryExamples().flatMap(({ code }) => {
      const names = namesIn(/import \{([^}]*)\} from 'orch'/g, code);
      const body = code.replaceAll(/import \{[^}]*\}/g, '');
      return names.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
    }),
  );
  expect(exported.length).toBeGreaterThan(60);
  expect(exported.filter((name) => !used.has(name))).toEqual([]);
});

function namesIn(lists: RegExp, code: string): string[] {
  return [...code.matchAll(lists)].flatMap(([, list = '']) =>
    list.split(',').flatMap((name) => name.replace(/^\s*(?:type )?\s*/, '').trim() || []),
  );
}
