import { messageOf } from '../../core/errors.ts';
import { failed, success, type Result } from '../../core/result.ts';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeWhole } from '../../io/whole-file.ts';
import type { LeanEnvironment } from '../project/environment.ts';
import { chainOf, originOf, type Point, type Ran } from './repl-states.ts';

/** Pickles are files of our own: texts and tactics, which are run again. They are small, and no worker has to trust them. */
const environment = z.object({
  imports: z.array(z.string()),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  project: z.string().nullable(),
});
const texts = z.array(z.string()).min(1);
const Pickle = z.discriminatedUnion('kind', [
  z.object({ format: z.literal('orch-repl-1'), kind: z.literal('env'), environment, texts }),
  z.object({
    format: z.literal('orch-repl-1'),
    kind: z.literal('proofState'),
    environment,
    texts,
    /** Which `sorry` of the last text, from 0. */
    sorry: z.int().min(0),
    tactics: z.array(z.string()),
  }),
]);
export type Pickle = z.infer<typeof Pickle>;

const format = 'orch-repl-1';

export function pickleEnvironment(file: string, ran: Ran): void {
  write(file, { format, kind: 'env', ...textsOf(ran) });
}

export function pickleProofState(file: string, point: Point): void {
  const { ran, index, tactics } = originOf(point);
  write(file, { format, kind: 'proofState', ...textsOf(ran), sorry: index, tactics: [...tactics] });
}

/** What a file holds, or why it cannot be had. */
export function readPickle<Kind extends Pickle['kind']>(
  file: string,
  kind: Kind,
): Result<Extract<Pickle, { kind: Kind }>> {
  try {
    const pickle = Pickle.parse(JSON.parse(readFileSync(file, 'utf8')));
    return pickle.kind === kind
      ? success(pickle as Extract<Pickle, { kind: Kind }>)
      : failed({ kind: 'pickle', message: `${file} holds another thing (${pickle.kind})` });
  } catch (error) {
    const why = error instanceof z.ZodError ? 'it is no pickle of orch repl' : messageOf(error);
    return failed({ kind: 'pickle', message: `${file} cannot be read: ${why}` });
  }
}

/** The texts of a pickle, not yet run. */
export function ransOf({ environment: on, texts: all }: Pickle): Ran {
  const [first = '', ...rest] = all;
  const stands = on as LeanEnvironment;
  const root: Ran = { environment: stands, on: undefined, text: first, errors: 0, sorries: 0 };
  return rest.reduce<Ran>(
    (before, text) => ({ environment: stands, on: before, text, errors: 0, sorries: 0 }),
    root,
  );
}

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
