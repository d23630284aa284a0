import { findOutside } from './brackets.ts';

/** The parts of a term that matter for a lemma's name: applied constants, without variable names. */
export interface ReadTerm {
  /** `length`, `add`, `nil`; empty for a variable or something without a name. */
  readonly head: string;
  readonly args: readonly ReadTerm[];
  /** Whether its name is placed between its arguments: `two_mul`, `mul_two`. */
  readonly isInfix?: true;
  /** As written, without outer brackets. */
  readonly text: string;
}

/** Operators as Mathlib calls them, and how tightly they bind. */
const infix: Readonly<Record<string, readonly [precedence: number, name: string]>> = {
  '↔': [20, 'iff'],
  '∨': [30, 'or'],
  '∧': [35, 'and'],
  '=': [50, 'eq'],
  '≠': [50, 'ne'],
  '==': [50, 'beq'],
  '<': [50, 'lt'],
  '≤': [50, 'le'],
  '>': [50, 'gt'],
  '≥': [50, 'ge'],
  '∈': [50, 'mem'],
  '∉': [50, 'notMem'],
  '∣': [50, 'dvd'],
  '⊆': [50, 'subset'],
  '~': [50, 'perm'],
  '||': [30, 'or'],
  '&&': [35, 'and'],
  '++': [65, 'append'],
  '+': [65, 'add'],
  '-': [65, 'sub'],
  '::': [67, 'cons'],
  '*': [70, 'mul'],
  '/': [70, 'div'],
  '%': [70, 'mod'],
  '^': [75, 'pow'],
  '∘': [90, 'comp'],
};
const toTheRight = new Set(['::', '^', '∧', '∨', '∘']);
const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const token =
  /\s*(?:([\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*)*)|(\d+)|(\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*|\.\d)|(::|\+\+|==|&&|\|\||[^\s]))/uy;

/**
 * `∀ x, P x → Q x` as the texts of its hypotheses and its conclusion; names bound on the way are added to the
 * known ones.
 */
export function conclusionOf(
  type: string,
  bound: Set<string>,
): { readonly hypotheses: readonly string[]; readonly conclusion: string } {
  const hypotheses: string[] = [];
  let rest = type.trim();
  for (;;) {
    const quantified = /^(?:∀|forall)\s*([^,]*),\s*/u.exec(rest);
    if (quantified) {
      const names = (quantified[1] ?? '')
        .replaceAll(/:[^(){}[\]]*/g, ' ')
        .match(/[\p{L}_][\p{L}\p{N}_'₀-₉]*/gu);
      for (const name of names ?? []) bound.add(name);
      rest = rest.slice(quantified[0].length);
      continue;
    }
    const arrow = findOutside(rest, '→');
    if (arrow === undefined) return { hypotheses, conclusion: rest };
    hypotheses.push(rest.slice(0, arrow).trim());
    rest = rest.slice(arrow + 1).trim();
  }
}

/** Undefined for text outside this small language. The result is used only to choose names. */
export function readTerm(text: string, bound: ReadonlySet<string>): ReadTerm | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const reader = new TermReader(tokens, bound);
  const term = reader.infix(0);
  return reader.isAtEnd ? term : undefined;
}

function tokensOf(text: string): string[] | undefined {
  const found: string[] = [];
  token.lastIndex = 0;
  const trimmed = text.trim();
  while (token.lastIndex < trimmed.length) {
    const match = token.exec(trimmed);
    if (!match) return undefined;
    found.push(match[0].trim());
  }
  return found;
}

class TermReader {
  readonly #tokens: readonly string[];
  readonly #bound: ReadonlySet<string>;
  #at = 0;

  constructor(tokens: readonly string[], bound: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#bound = bound;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  infix(least: number): ReadTerm | undefined {
    let left = this.#application();
    for (;;) {
      const [precedence, name] = infix[this.#next] ?? [];
      if (!left || precedence === undefined || name === undefined || precedence < least) return left;
      const operator = this.#take();
      const right = this.infix(toTheRight.has(operator) ? precedence : precedence + 1);
      if (!right) return undefined;
      left = {
        head: name,
        args: [left, right],
        isInfix: true,
        text: `${left.text} ${operator} ${right.text}`,
      };
    }
  }

  get #next(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #take(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  #application(): ReadTerm | undefined {
    if (this.#next === '¬' || this.#next === '!') {
      this.#take();
      const denied = this.infix(40);
      return denied && { head: 'not', args: [denied], text: `¬${denied.text}` };
    }
    if (this.#next === '-') {
      this.#take();
      const negated = this.infix(75);
      return negated && { head: 'neg', args: [negated], text: `-${negated.text}` };
    }
    if (this.#next === '∃') {
      while (!this.isAtEnd && this.#take() !== ',');
      const body = this.infix(0);
      return body && { head: 'exists', args: [body], text: `∃ ${body.text}` };
    }
    const first = this.#atom();
    if (!first) return undefined;
    const args: ReadTerm[] = [];
    for (let next = this.#atom(); next; next = this.#atom()) args.push(next);
    if (args.length === 0) return first;
    const text = [first.text, ...args.map((one) => (one.args.length > 0 ? `(${one.text})` : one.text))].join(
      ' ',
    );
    // `f x` of an `f` that nothing binds is a constant
    const isConstant = first.head === '' && /^\p{L}$/u.test(first.text) && !this.#bound.has(first.text);
    return { head: isConstant ? first.text : first.head, args: [...first.args, ...args], text };
  }

  #atom(): ReadTerm | undefined {
    let term = this.#plainAtom();
    // `(f x).length`
    while (term && /^\.[\p{L}_\d]/u.test(this.#next)) {
      const field = this.#take().slice(1);
      term = { head: /^\d/.test(field) ? '' : field, args: [term], text: `(${term.text}).${field}` };
    }
    return term;
  }

  #plainAtom(): ReadTerm | undefined {
    const next = this.#next;
    if (next === '(') {
      this.#take();
      const inner = this.infix(0);
      if (this.#next === ':') this.#passType();
      return inner && this.#take() === ')' ? inner : undefined;
    }
    if (next === '[') return this.#list();
    if (/^\d+$/.test(next)) {
      this.#take();
      return { head: numbers[Number(next)] ?? 'ofNat', args: [], text: next };
    }
    if (!/^[\p{L}_]/u.test(next) || keywords.has(next)) return undefined;
    this.#take();
    return this.#named(next);
  }

  /** Of `(0 : Nat)`, only the number matters. */
  #passType(): void {
    for (let depth = 0; !this.isAtEnd && (depth > 0 || this.#next !== ')');) {
      const passed = this.#take();
      if (passed === '(') depth++;
      if (passed === ')') depth--;
    }
  }

  #list(): ReadTerm | undefined {
    this.#take();
    if (this.#next === ']') {
      this.#take();
      return { head: 'nil', args: [], text: '[]' };
    }
    const inner = this.infix(0);
    return inner && this.#take() === ']'
      ? { head: 'singleton', args: [inner], text: `[${inner.text}]` }
      : undefined;
  }

  /** `xs.length` of a variable is its field; `List.length` is a constant. */
  #named(written: string): ReadTerm {
    const [first = '', ...fields] = written.split('.');
    if (this.#bound.has(first) || (fields.length === 0 && isVariable(first)))
      return fields.reduce<ReadTerm>(
        (term, field) => ({ head: field, args: [term], text: `${term.text}.${field}` }),
        { head: '', args: [], text: first },
      );
    const last = fields.at(-1) ?? first;
    return { head: last.charAt(0).toLowerCase() + last.slice(1), args: [], text: written };
  }
}

/** Names that a statement may bind itself. */
const isVariable = (name: string): boolean => /^[\p{L}_]['₀-₉0-9]*$/u.test(name);
const keywords = new Set(['fun', 'if', 'then', 'else', 'match', 'with', 'let', 'have', 'show', 'by', 'do']);
