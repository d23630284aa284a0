import { messageOf } from '../../core/errors.ts';
import { failed, success, type Result } from '../../core/result.ts';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeWhole } from '../../io/whole-file.ts';
import type { LeanEnvironment } from '../project/environment.ts';
import type { ReplStates, Text } from './repl-states.ts';

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

export function pickleEnvironment(file: string, states: ReplStates, ran: number): void {
  write(file, { format: 'orch-repl-2', kind: 'env', ...chain(states, ran) });
}

export function pickleProofState(file: string, states: ReplStates, point: number): void {
  const { ran, index, steps } = states.stepsTo(point);
  const { wants } = states.text(ran);
  const where = { index, wants, steps: [...steps] };
  write(file, { format: 'orch-repl-2', kind: 'proofState', ...chain(states, ran), ...where });
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

/** The texts of a pickle, in order. */
export function pickledTexts(pickle: Pickle): readonly [Text, ...Text[]] {
  const stands = pickle.environment as LeanEnvironment;
  const last = 'wants' in pickle ? pickle.wants : nothing;
  const [first, ...more] = pickle.texts.map((text, index) => {
    const wants = index === pickle.texts.length - 1 ? last : nothing;
    return { environment: stands, text, wants };
  });
  if (!first) throw new Error('a pickle has at least one text');
  return [first, ...more];
}

const nothing = { allTactics: false, rootGoals: false };

function chain(states: ReplStates, ran: number): Pick<Pickle, 'environment' | 'texts'> {
  const { imports, options, project } = states.environmentOf(ran);
  return {
    environment: { imports: [...imports], options: { ...options }, project },
    texts: states.chainOf(ran),
  };
}

function write(file: string, pickle: Pickle): void {
  writeWhole(file, `${JSON.stringify(pickle)}\n`);
}
