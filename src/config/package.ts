import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the installed package: `src/` in a clone and `dist/` in a tarball both are directly below it. */
export const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
