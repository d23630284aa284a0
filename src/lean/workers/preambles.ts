/**
 * Preambles that begin alike. The goals of one file depend on growing beginnings of it; a worker that has loaded one of them
 * needs to load only what is new in the next. That is right only where the new text begins with a command of its own:
 * anything else might belong to the last command before it.
 */
export class PreambleFamily {
  readonly #known = new Set<string>();
  readonly #lengths = new Set<number>();

  /** These will be asked for: a longer one is loaded in steps that end where they end. */
  expect(preambles: Iterable<string>): void {
    for (const preamble of preambles) {
      if (preamble.trim() === '') continue;
      this.#known.add(preamble);
      this.#lengths.add(preamble.length);
    }
  }

  /** The beginnings of a preamble at which its loading can pause, shortest first; the last is the whole. */
  stepsTo(preamble: string): string[] {
    const beginnings: string[] = [];
    // line by line of this preamble, however many others are known
    for (let end = preamble.indexOf('\n') + 1; end > 0; end = preamble.indexOf('\n', end) + 1) {
      if (end === preamble.length || !this.#lengths.has(end)) continue;
      const beginning = preamble.slice(0, end);
      if (this.#known.has(beginning) && command.test(preamble.slice(end))) beginnings.push(beginning);
    }
    return [...beginnings, preamble];
  }
}

/** Words that, at the start of a line, always begin a command in Lean; here at the start of the first line that is not empty. */
const command =
  /^(?:\s*\n)?(?:@\[|\/--|\/-!|(?:private|protected|public|noncomputable|theorem|lemma|def|abbrev|instance|structure|inductive|class|example|opaque|axiom|namespace|section|end|variable|universe)\b)/;
