/** TeX conditions with a fixed value in plasTeX. */
const decided: ReadonlyMap<string, boolean> = new Map([
  ['iftrue', true],
  ['iffalse', false],
  ['ifplastex', true],
  ['ifhtml', true],
  ['ifpdf', false],
]);

/** Macros that look like conditions but are not. */
const others = new Set(['iff', 'ifthenelse', 'ifstrequal', 'ifdefempty', 'ifcsname']);

/**
 * Decides which parts of the text exist. `\if… … \else … \fi` nest. Conditions declared in the sources (`\newif`) are known; for those that only TeX could decide, both parts are read.
 */
export class Conditionals {
  /** For each open condition, whether the current part exists. */
  readonly #open: { holds: boolean | 'unknown' }[] = [];
  readonly #declared = new Map<string, boolean>();

  get isHidden(): boolean {
    return this.#open.some(({ holds }) => holds === false);
  }

  /** A macro of the text, in the order of the document. */
  read(macro: string): void {
    const last = this.#open.at(-1);
    if (macro === 'fi') this.#open.pop();
    else if (macro === 'else' && last) last.holds = last.holds === 'unknown' ? 'unknown' : !last.holds;
    else if (macro.startsWith('if') && !others.has(macro))
      this.#open.push({ holds: decided.get(macro) ?? this.#declared.get(macro) ?? 'unknown' });
    else if (!this.isHidden) this.#set(macro);
  }

  /** `\newif\ifname`: false until `\nametrue`. */
  declare(behind: string): void {
    const name = /^\s*\\(if[A-Za-z@]+)/.exec(behind)?.[1];
    if (name !== undefined) this.#declared.set(name, false);
  }

  #set(macro: string): void {
    const [, name, value] = /^(.+)(true|false)$/.exec(macro) ?? [];
    const condition = `if${name}`;
    if (this.#declared.has(condition)) this.#declared.set(condition, value === 'true');
  }
}
