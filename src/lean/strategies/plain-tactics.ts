/** What runs code of a text while Lean reads it, or hides a hole. A gate would refuse the proof; this keeps the worker from doing it. */
const runsPrograms =
  /\b(?:run_tac|run_meta|run_elab|run_cmd|by_elab|eval%|unsafe|native_decide|implemented_by|extern|initialize|elab|macro|sorry|sorryAx|admit)\b|#\w+/;

export function wouldRunPrograms(text: string): boolean {
  return runsPrograms.test(text);
}

/** What a model proposes for one goal, as Lean may be given it: each once, the first few, none too long. */
export function plainTactics(said: readonly string[], { most, length }: TacticLimits): string[] {
  const plain = said.map((text) => text.trim().replace(/^by\s+/, '')).filter((text) => text !== '');
  return [...new Set(plain)].filter((text) => text.length <= length).slice(0, most);
}

interface TacticLimits {
  readonly most: number;
  readonly length: number;
}
