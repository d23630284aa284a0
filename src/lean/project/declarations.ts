import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Position } from '../base/protocol.ts';

/** A compiled module, and Lean's record of the names in it. */
export interface CompiledModule {
  readonly file: string;
  readonly ilean: string;
}

export interface DeclaredAt {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}

/**
 * The parts of an `.ilean` that are read: the range of each declaration, then that of its name. Lines and
 * columns count from 0, columns in UTF-16 units.
 */
const Ilean = z.object({ decls: z.record(z.string(), z.array(z.number()).length(8)) });

/** Where compiled modules declare their names. For display and traces; no verdict depends on it. */
export class Declarations {
  readonly #read = new Set<string>();
  readonly #places = new Map<string, { readonly file: string; readonly numbers: readonly number[] }>();
  readonly #lines = new Map<string, readonly string[]>();

  add(modules: readonly CompiledModule[]): void {
    for (const { file, ilean } of modules) {
      if (this.#read.has(ilean) || !existsSync(ilean)) continue;
      this.#read.add(ilean);
      for (const [name, numbers] of Object.entries(readDecls(ilean)))
        this.#places.set(name, { file, numbers });
    }
  }

  names(): Iterable<string> {
    return this.#places.keys();
  }

  find(name: string): DeclaredAt | undefined {
    const place = this.#places.get(name);
    if (!place) return undefined;
    const { file, numbers } = place;
    const [line = 0, column = 0, endLine = 0, endColumn = 0] = numbers;
    return {
      file,
      start: this.#position(file, line, column),
      end: this.#position(file, endLine, endColumn),
    };
  }

  /** In Lean's counting: lines from 1, columns in code points. */
  #position(file: string, line: number, column: number): Position {
    const lines = this.#lines.get(file) ?? readFileSync(file, 'utf8').split('\n');
    this.#lines.set(file, lines);
    return [line + 1, Array.from((lines[line] ?? '').slice(0, column)).length];
  }
}

/** Empty for a malformed file: the module's code may have written it. */
function readDecls(ilean: string): Readonly<Record<string, readonly number[]>> {
  try {
    return Ilean.parse(JSON.parse(readFileSync(ilean, 'utf8'))).decls;
  } catch {
    return {};
  }
}
