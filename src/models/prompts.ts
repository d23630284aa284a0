import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../core/sha256.ts';

/** A prompt ready to send, and the version of the text it was made from. */
export interface Prompt {
  readonly text: string;
  readonly version: string;
}

/** `prompts/` is next to `src/` in a clone and next to `dist/` in a tarball. */
const folder = new URL('../../prompts/', import.meta.url);

/** The version of prompts/NAME.md: a hash of its text. */
export function promptVersion(name: string): string {
  return versionOf(templateOf(name));
}

/** Fills `{{name}}` in prompts/NAME.md. A missing or unused variable is a bug and throws. */
export function prompt(name: string, values: Readonly<Record<string, string>>): Prompt {
  const template = templateOf(name);
  const used = new Set<string>();
  const text = template.replaceAll(/\{\{(\w+)\}\}/g, (_, variable: string) => {
    const value = values[variable];
    if (value === undefined) throw new Error(`prompts/${name}.md asks for ${variable}, which is not given`);
    used.add(variable);
    return value;
  });
  const unused = Object.keys(values).filter((variable) => !used.has(variable));
  if (unused.length > 0) throw new Error(`prompts/${name}.md does not ask for ${unused.join(', ')}`);
  return { text, version: versionOf(template) };
}

function templateOf(name: string): string {
  return readFileSync(fileURLToPath(new URL(`${name}.md`, folder)), 'utf8');
}

function versionOf(template: string): string {
  return sha256(template).slice(0, 12);
}
