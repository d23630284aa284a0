import { messageOf } from '../../core/errors.ts';
import { failed, success, type Result } from '../../core/result.ts';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeWhole } from '../../io/whole-file.ts';
import type { LeanEnvironment } from '../project/environment.ts';
import { chainOf, stepsTo, type Point, type Ran } from './repl-states.ts';

/** Pickles have our own format: texts and tactics, which are run again. They are small, and workers need not trust them. */
const environment = z.object({
  imports: z.array(z.string()),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  project: z.string().nullable(),
});
const texts = z.array(z.string()).min(1);
const format = z.literal('orch-repl-2');
const Pickle = z.discriminatedUnion('kind', [
  z.object({ format, kind: z.literal('env'), environment, texts }),
  z.object({
    format,
    kind: z.literal('proofState'),
    environment,
    texts,
    /** Index of the proof state of the last text, from 0, and what was requested with the text. */
    index: z.int().min(0),
    wants: z.object({ allTactics: z.boolean(), rootGoals: z.boolean() }),
    /** The tactics after that, each with the `sorry` in it that was continued, if any. */
    steps: z.array(z.object({ tactic: z.string(), sorry: z.int().min(0).optional() })),
  }),
]);
export type Pickle = z.infer<typeof Pickle>;

export function pickleEnvironment(file: string, ran: Ran): void {
  write(file, { format: 'orch-repl-2', kind: 'env', ...textsOf(ran) });
}

export function pickleProofState(file: string, point: Point): void {
  const { ran, index, steps } = stepsTo(point);
  const where = { index, wants: ran.wants, steps: [...steps] };
  write(file, { format: 'orch-repl-2', kind: 'proofState', ...textsOf(ran), ...where });
}

/** The content of a file, or why it cannot be read. */
export function readPickle<Kind extends Pickle['kind']>(
  file: string,
  kind: Kind,
): Result<Extract<Pickle, { kind: Kind }>> {
  try {
    const pickle = Pickle.parse(JSON.parse(readFileSync(file, 'utf8')));
    return pickle.kind === kind
      ? success(pickle as Extract<Pickle, { kind: Kind }>)
      : failed({ kind: 'pickle', message: `${file} contains another kind of pickle (${pickle.kind})` });
  } catch (error) {
    const why = error instanceof z.ZodError ? 'it is not a pickle of orch repl' : messageOf(error);
    return failed({ kind: 'pickle', message: `${file} cannot be read: ${why}` });
  }
}

/** The texts of a pickle, not yet run. */
export function ransOf(pickle: Pickle): Ran {
  const stands = pickle.environment as LeanEnvironment;
  const last = 'wants' in pickle ? pickle.wants : nothing;
  let ran: Ran | undefined;
  for (const [index, text] of pickle.texts.entries()) {
    const wants = index === pickle.texts.length - 1 ? last : nothing;
    ran = { environment: stands, on: ran, text, wants };
  }
  if (!ran) throw new Error('a pickle has at least one text');
  return ran;
}

const nothing = { allTactics: false, rootGoals: false };

function textsOf(ran: Ran): Pick<Pickle, 'environment' | 'texts'> {
  const { imports, options, project } = ran.environment;
  return {
    environment: { imports: [...imports], options: { ...options }, project },
    texts: chainOf(ran).map(({ text }) => text),
  };
}

function write(file: string, pickle: Pickle): void {
  writeWhole(file, `${JSON.stringify(pickle)}\n`);
}
