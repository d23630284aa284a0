import type { Lean } from './lean.ts';
import { UserError } from '../core/errors.ts';
import { writeWhole } from '../io/whole-file.ts';
import { SourceText } from '../lean/base/source-text.ts';
import { solvedText } from '../lean/writing/solved-file.ts';
import { byFile, fillFile, type FilledFile } from '../lean/writing/writer.ts';
import type { Proved } from '../lean/goals/goal.ts';
import { plural } from '../shared/plural.ts';
import { talk } from '../reporters/talk.ts';

/** Where the proofs of a run go besides the screen. */
export interface ProofsOut {
  readonly diff?: true;
  readonly out?: string;
}

const judgeMs = 120_000;

/** Writes proofs as a patch or to a new file, after judging each file as a whole. Returns whether every proof could be placed. */
export async function putProofs(
  proved: readonly Proved[],
  lean: Lean,
  { diff, out }: ProofsOut,
): Promise<boolean> {
  const filled: FilledFile[] = [];
  for (const [file, some] of byFile(proved)) filled.push(await fillFile(file, some, lean));
  for (const { file, refused, gone, given } of filled) {
    for (const { id, why } of refused) talk(`${id} is unchanged: its proof fails in the whole file: ${why}`);
    for (const [name, assumed] of given) talk(`${name} is proved, given ${assumed.join(', ')}`);
    for (const id of gone) talk(`${file} has changed and no longer has this goal: ${id}`);
  }
  if (diff) process.stdout.write(filled.map(({ patch }) => patch).join(''));
  if (out !== undefined) await writeNewFile(out, proved, filled, lean);
  return filled.every(({ refused, gone }) => refused.length + gone.length === 0);
}

async function writeNewFile(
  file: string,
  proved: readonly Proved[],
  filled: readonly FilledFile[],
  lean: Lean,
): Promise<void> {
  const [only] = filled;
  const text = only ? only.after : solvedText(proved);
  if (!only) await mustHold(file, text, lean);
  writeWhole(file, text);
  talk(`${file}: ${plural(only ? only.placed.length : proved.length, 'proof')}`);
}

/** Rows had separate preambles, which are now combined in one file. */
async function mustHold(file: string, text: string, { gate }: Lean): Promise<void> {
  const verdicts = await gate.checkFile(
    { text: new SourceText(text).text, secondKernel: 'final' },
    { deadlineMs: judgeMs },
  );
  const bad = verdicts.find(({ verdict }) => verdict !== 'accepted');
  if (bad)
    throw new UserError(
      'not-one-file',
      `${file} was not written: each proof holds with its own preamble, but not all in one file (${bad.message})`,
      'Use --reporter json to get each proof with its preamble.',
    );
}
