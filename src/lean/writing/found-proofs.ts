import type { LeanGoal, Place, Proved } from '../goals/goal.ts';
import { SourceText } from '../base/source-text.ts';
import { withProofs, type PlacedProof } from './in-place.ts';

/** Proofs of a run by file, to be put in place of the `sorry`s above a goal. */
export class FoundProofs {
  readonly #byFile = new Map<
    string,
    Map<string, { readonly goal: LeanGoal; readonly placed: PlacedProof }>
  >();

  constructor(proved: readonly Proved[]) {
    for (const { goal, proof } of proved) this.add(goal, proof);
  }

  add(goal: LeanGoal, proof: string): void {
    const { place } = goal;
    if (!place) return;
    const found = this.#byFile.get(place.file) ?? new Map();
    this.#byFile.set(place.file, found.set(String(place.start), { goal, placed: { place, proof } }));
  }

  /** The text with all proofs that belong into it; undefined if there is none. */
  filledIn(preamble: string, file: string | undefined): string | undefined {
    const text = new SourceText(preamble);
    const here = [...(this.#byFile.get(file ?? '')?.values() ?? [])].filter(
      ({ goal, placed: { place } }) =>
        preamble.trim().startsWith(goal.preamble.trim()) && isOpenAt(text, place),
    );
    return here.length === 0
      ? undefined
      : withProofs(
          preamble,
          here.map(({ placed }) => placed),
        );
  }
}

function isOpenAt(text: SourceText, { start, end, form }: Place): boolean {
  const there = text.between(start, end);
  return form === 'value' || form === 'equations'
    ? /\b(?:sorry|admit)\b/.test(there)
    : /^(?:by\s+)?(?:sorry|admit)$/.test(there.trim());
}
