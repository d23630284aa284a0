/** The golf score of a proof. */
export interface Length {
  readonly tactics: number;
  readonly characters: number;
  /** Lean's time for it. */
  readonly cpuSeconds: number;
}

/** Fewest tactics, then fewest characters, then the least time. */
export function isShorter(one: Length, than: Length): boolean {
  if (one.tactics !== than.tactics) return one.tactics < than.tactics;
  if (one.characters !== than.characters) return one.characters < than.characters;
  return one.cpuSeconds < than.cpuSeconds;
}

/** Tactics are on separate lines or behind `;` and `<;>`; a term counts as one, as does a line that continues. */
export function lengthOf(proof: string, cpuSeconds: number): Length {
  const text = proof.replaceAll(/--[^\n]*|\/-[\s\S]*?-\//g, '').trim();
  const characters = Array.from(text.replaceAll(/\s+/g, ' ')).length;
  const body = /^by\b([\s\S]*)$/.exec(text)?.[1];
  if (body === undefined) return { tactics: 1, characters, cpuSeconds };
  const steps = body
    .split(/\n|;|<;>/)
    .map((step) => step.replace(/^\s*(?:[·.]\s|\|[^=]*=>|\()*/, '').trim())
    .filter((step) => step !== '' && step !== ')');
  return { tactics: Math.max(1, steps.length), characters, cpuSeconds };
}
