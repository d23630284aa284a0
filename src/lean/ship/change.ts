import path from 'node:path';
import type { Verdict } from '../gate/verdict.ts';
import { environmentOfFile } from '../project/environment.ts';
import type { Gate } from '../gate/gate.ts';
import { sourceName } from '../base/names.ts';
import { SourceText } from '../base/source-text.ts';
import type { Written } from '../base/protocol.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import { readTextFile } from '../../io/text-file.ts';

/** Two work trees: before and after. */
export interface Trees {
  readonly before: string;
  readonly tree: string;
}

interface JudgedChange {
  readonly verdicts: readonly Verdict[];
  /** Theorems with another text than before, by their written names. */
  readonly changed: ReadonlySet<string>;
  /** Nothing has changed but theorems. */
  readonly isInTheorems: boolean;
}

/**
 * Compares a file with its earlier version. Each is read in its own environment, since today's imports may give the old text another meaning.
 */
export async function judgeChange(
  gate: Gate,
  { before, tree }: Trees,
  file: string,
  limits: RequestLimits,
): Promise<JudgedChange> {
  const at = (folder: string) => {
    const place = path.join(folder, file);
    const source = new SourceText(readTextFile(place));
    return { source, text: source.text, environment: environmentOfFile(place, source.text) };
  };
  const [then, now] = [at(before), at(tree)];
  const { text, environment } = now;
  const { verdicts, theorems, stated, addsCode } = await gate.judgeFile(
    { text, environment, against: then.text, againstIn: then.environment, secondKernel: 'final' },
    limits,
  );
  const isInTheorems = outside(now.source, theorems) === outside(then.source, stated);
  const earlier = textsIn(then.source, stated);
  const later = [...textsIn(now.source, theorems)];
  const changed = new Set(later.flatMap(([name, own]) => (earlier.get(name) === own ? [] : [name])));
  // a proof that runs code may change what is above it
  return { verdicts, changed, isInTheorems: isInTheorems && !addsCode };
}

function textsIn(source: SourceText, theorems: readonly Written[]): Map<string, string> {
  return new Map(theorems.map(({ name, start, end }) => [sourceName(name), source.between(start, end)]));
}

/** A file with its theorems reduced to their names. */
function outside(source: SourceText, theorems: readonly Written[]): string {
  const parts: string[] = [];
  let from: Written['start'] = [1, 0];
  for (const { name, start, end } of theorems) {
    parts.push(source.between(from, start), name);
    from = end;
  }
  return [...parts, source.between(from, [Infinity, 0])].join('\n');
}
