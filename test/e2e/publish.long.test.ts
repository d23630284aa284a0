import { expect, test } from 'vitest';
import * as z from 'zod';
import { packageVersion } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { run } from '../helpers/orch.ts';
import { copyOfRepository } from '../helpers/tarball.ts';

const Packed = z.object({
  name: z.string(),
  version: z.string(),
  files: z.array(z.object({ path: z.string() })),
});

/** npm prints the packed package, or an object with it under its name. */
const Printed = z.union([Packed, z.object({ orch: Packed }).transform(({ orch }) => orch)]);

test('npm publish --dry-run packs what users need and nothing else', async () => {
  const { code, stdout, stderr } = await run('npm', ['publish', '--dry-run', '--json'], {
    cwd: copyOfRepository(temporaryFolder()),
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const packed = Printed.parse(JSON.parse(stdout.slice(stdout.indexOf('{'))));
  expect(packed).toMatchObject({ name: 'orch', version: packageVersion() });
  const files = packed.files.map((file) => file.path);
  expect(files).toEqual(
    expect.arrayContaining([
      'bin/orch.js',
      'dist/cli.js',
      'dist/index.js',
      'dist/index.d.ts',
      'lean/Worker.lean',
      'lean/compiled.br',
      'data/bank.jsonl',
      'docs/GLOSSARY.md',
      'docs/PROTOCOL.md',
      'orch.schema.json',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'THIRD-PARTY-NOTICES.md',
      'sbom.cdx.json',
    ]),
  );
  const unwanted = /^(?:src|test|web|lint|examples|node_modules|\.orch)\/|(?<!\.d)\.tsx?$|\.py$|\.env$|\.db$/;
  expect(files.filter((file) => unwanted.test(file))).toEqual([]);
});
