import { failed } from '../../core/result.ts';
import { definite } from '../../core/errors.ts';
import type { Argument } from './operation.ts';
import { checkProgram, type Parsed, type Program, type ProgramStep } from './program.ts';

/**
 * Rules as text: one step per line, `$2 = pick($1, by: area)`. The first argument is the step's source (`input`, an
 * earlier step, or a list of steps); `in $k` names the frame of a size-bound step. Parsing the text gives back the
 * same program, with `of` always explicit.
 */
export function printProgram(program: Program): string {
  return program.map((step, index) => `$${index} = ${printStep(step, index)}`).join('\n');
}

function printStep({ op, args }: ProgramStep, index: number): string {
  const { of, frame, ...rest } = args;
  const parts = [printReference(of ?? (index === 0 ? 'input' : index - 1))];
  for (const [name, value] of Object.entries(rest)) parts.push(`${name}: ${printArgument(value)}`);
  return `${op}(${parts.join(', ')})${frame === undefined ? '' : ` in ${printReference(frame)}`}`;
}

function printReference(value: Argument): string {
  if (Array.isArray(value)) return `[${value.map((part) => printReference(part)).join(', ')}]`;
  return value === 'input' ? 'input' : `$${JSON.stringify(value)}`;
}

/** Plain words are unquoted, everything else is JSON. */
function printArgument(value: Argument): string {
  return typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value) ? value : JSON.stringify(value);
}

/** Reads rule text; faults name line and column. */
export function readProgram(text: string): Parsed {
  const steps: unknown[] = [];
  for (const [number, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const reader = new LineReader(line, number + 1);
    try {
      steps.push(reader.step(steps.length));
    } catch (error) {
      if (!(error instanceof TextFault)) throw error;
      return failed({ kind: 'PARSE', message: error.message });
    }
  }
  return checkProgram(steps);
}

class TextFault extends Error {}

/** Parses one line from left to right; every method consumes what it reads. */
class LineReader {
  readonly #line: string;
  readonly #number: number;
  #at = 0;

  constructor(line: string, number: number) {
    this.#line = line;
    this.#number = number;
  }

  step(index: number): { op: string; args: Record<string, unknown> } {
    if (this.#next(`$${index}`)) this.#expect('=');
    else if (this.#peek() === '$') this.#fail(`expected $${index}: steps are numbered from $0, one per line`);
    const op = this.#word('an operation');
    this.#expect('(');
    const args: Record<string, unknown> = { of: this.#reference() };
    while (this.#next(',')) {
      const name = this.#word('an argument name');
      this.#expect(':');
      args[name] = this.#value();
    }
    this.#expect(')');
    if (this.#next('in')) args['frame'] = this.#reference();
    if (this.#peek() !== '') this.#fail('expected the end of the line');
    return { op, args };
  }

  #reference(): unknown {
    if (this.#next('[')) {
      const list = [this.#reference()];
      while (this.#next(',')) list.push(this.#reference());
      this.#expect(']');
      return list;
    }
    if (this.#next('input')) return 'input';
    const match = /^\$(\d+)/.exec(this.#rest());
    if (match === null) this.#fail('expected input, a step such as $0, or a list of these');
    this.#at += match[0].length;
    return Number(match[1]);
  }

  #value(): unknown {
    const rest = this.#rest();
    if (/^[[{"\d-]/.test(rest)) return this.#json(rest);
    return this.#word('a value');
  }

  /** Takes the longest balanced piece of JSON at the start. */
  #json(rest: string): unknown {
    let depth = 0;
    let quoted = false;
    let end = 0;
    for (; end < rest.length; end++) {
      const char = definite(rest[end]);
      if (quoted) {
        if (char === '\\') end++;
        else if (char === '"') quoted = false;
      } else if (char === '"') quoted = true;
      else if (char === '[' || char === '{') depth++;
      else if ((char === ',' || char === ')') && depth === 0) break;
      else if (char === ']' || char === '}') depth--;
    }
    try {
      const value: unknown = JSON.parse(rest.slice(0, end));
      this.#at += end;
      return value;
    } catch {
      return this.#fail(`${rest.slice(0, end)} is not a value`);
    }
  }

  #word(what: string): string {
    const match = /^[A-Za-z_][A-Za-z0-9_-]*/.exec(this.#rest());
    if (match === null) this.#fail(`expected ${what}`);
    this.#at += match[0].length;
    return match[0];
  }

  #next(token: string): boolean {
    if (!this.#rest().startsWith(token)) return false;
    this.#at += token.length;
    return true;
  }

  #expect(token: string): void {
    if (!this.#next(token)) this.#fail(`expected "${token}"`);
  }

  #peek(): string {
    return this.#rest().slice(0, 1);
  }

  #rest(): string {
    while (this.#line[this.#at] === ' ') this.#at++;
    return this.#line.slice(this.#at);
  }

  #fail(message: string): never {
    throw new TextFault(`line ${this.#number}, column ${this.#at + 1}: ${message}`);
  }
}
