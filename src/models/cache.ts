import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../core/folders.ts';
import { replaceFile } from '../io/whole-file.ts';
import type { ModelAnswer, GenerateRequest, Vectors } from './model.ts';
import { sha256 } from '../core/sha256.ts';

/**
 * Cached answers, keyed by the model's name and the whole request, so a run can be repeated without a network. Failures are not cached. Requests contain no service keys.
 */
export class AnswerCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    makeFolders(folder, 0o700);
  }

  read(model: string, asked: GenerateRequest | readonly string[]): unknown {
    try {
      const file = this.#file(model, asked);
      if (!statSync(file).isFile()) return undefined; // a pipe would never end
      const { answer } = JSON.parse(readFileSync(file, 'utf8')) as { answer: unknown };
      return answer;
    } catch {
      // a missing or broken file is not an answer
      return undefined;
    }
  }

  write(model: string, asked: GenerateRequest | readonly string[], answer: ModelAnswer | Vectors): void {
    replaceFile(this.#file(model, asked), `${JSON.stringify({ model, asked, answer })}\n`, 0o600);
  }

  #file(model: string, asked: GenerateRequest | readonly string[]): string {
    return join(this.#folder, `${sha256(canonical([model, asked]))}.json`);
  }
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(',')}}`;
}
