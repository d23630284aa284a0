import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { ScriptVersion } from '../../store/scripts/script-cache.ts';
import { describeToolchain, type Toolchain } from '../toolchain/toolchain.ts';

const Manifest = z.object({ packages: z.array(z.object({ name: z.string(), rev: z.string().optional() })) });

/** The versions that scripts are valid for: the lemmas they name change with Lean and Mathlib. */
export function scriptVersion(toolchain: Toolchain, folder: string): Pick<ScriptVersion, 'lean' | 'mathlib'> {
  return { lean: describeToolchain(toolchain), mathlib: mathlibIn(folder) };
}

/** The revision in Lake's manifest; empty if there is none. */
function mathlibIn(folder: string): string {
  try {
    const text = readFileSync(path.join(folder, 'lake-manifest.json'), 'utf8');
    const { packages } = Manifest.parse(JSON.parse(text));
    return packages.find(({ name }) => name === 'mathlib')?.rev ?? '';
  } catch {
    return '';
  }
}
