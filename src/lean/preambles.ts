/**
 * Preambles that begin alike. The goals of one file stand on growing beginnings of it; a worker that has loaded one of them
 * needs to load only what is new in the next. That is right only where the new text begins with a command of its own:
 * anything else might belong to the last command before it.
 */
export class PreambleFamily {
  readonly #known = new Set<string>();

  /** These will be asked for: a longer one is loaded in steps that end where they end. */
  expect(preambles: Iterable<string>): void {
    for (const preamble of preambles) if (preamble.trim() !== '') this.#known.add(preamble);
  }

  /** The beginnings of a preamble at which its loading can pause, shortest first; the last is the whole. */
  stepsTo(preamble: string): string[] {
    const beginnings = [...this.#known].filter(
      (known) =>
        known.length < preamble.length &&
        preamble.startsWith(known) &&
        known.endsWith('\n') &&
        command.test(preamble.slice(known.length)),
    );
    return [...beginnings.sort((first, second) => first.length - second.length), preamble];
  }
}

/** Words that, at the start of a line, always begin a command in Lean. */
const command =
  /^\s*^(?:@\[|\/--|\/-!|(?:private|protected|public|noncomputable|theorem|lemma|def|abbrev|instance|structure|inductive|class|example|opaque|axiom|namespace|section|end|variable|universe)\b)/m;
