/**
 * Matches text that runs code during elaboration, or hides a hole. The gate would refuse such a proof; this protects
 * the worker.
 */
const runsPrograms =
  /\b(?:run_tac|run_meta|run_elab|run_cmd|by_elab|eval%|unsafe|native_decide|implemented_by|extern|initialize|elab|macro|sorry|sorryAx|admit)\b|#\w+/;

export function wouldRunPrograms(text: string): boolean {
  return runsPrograms.test(text);
}

/** A model's proposals for one goal, safe to run in Lean: without duplicates, limited in number and length. */
export function plainTactics(said: readonly string[], { most, length }: TacticLimits): string[] {
  const plain = said.map((text) => text.trim().replace(/^by\s+/, '')).filter((text) => text !== '');
  return [...new Set(plain)].filter((text) => text.length <= length).slice(0, most);
}

interface TacticLimits {
  readonly most: number;
  readonly length: number;
}
