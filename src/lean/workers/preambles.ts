/**
 * Groups preambles by common beginnings. The goals of one file depend on ever longer beginnings of it, so a worker
 * that has loaded one only needs to load the rest of the next. This is correct only if the rest starts with a new
 * command; any other text might belong to the command before it.
 */
export class PreambleFamily {
  readonly #known = new Set<string>();
  readonly #lengths = new Set<number>();

  /** Announces preambles: a longer one is loaded in steps that end where known ones end. */
  expect(preambles: Iterable<string>): void {
    for (const preamble of preambles) {
      if (preamble.trim() === '') continue;
      this.#known.add(preamble);
      this.#lengths.add(preamble.length);
    }
  }

  /** The beginnings of a preamble at which loading can stop, shortest first; the last is the whole text. */
  stepsTo(preamble: string): string[] {
    const beginnings: string[] = [];
    // scan this preamble by lines, so the cost does not depend on the number of known ones
    for (let end = preamble.indexOf('\n') + 1; end > 0; end = preamble.indexOf('\n', end) + 1) {
      if (end === preamble.length || !this.#lengths.has(end)) continue;
      const beginning = preamble.slice(0, end);
      if (this.#known.has(beginning) && command.test(preamble.slice(end))) beginnings.push(beginning);
    }
    return [...beginnings, preamble];
  }
}

/** Words that always begin a command in Lean at the start of a line, here on the first non-empty line. */
const command =
  /^(?:\s*\n)?(?:@\[|\/--|\/-!|(?:private|protected|public|noncomputable|theorem|lemma|def|abbrev|instance|structure|inductive|class|example|opaque|axiom|namespace|section|end|variable|universe)\b)/;
