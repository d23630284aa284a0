import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Premise } from '../../store/premises/premise.ts';
import type { Shelf } from '../../store/ledger/blob-store.ts';

const premisesSchema = z.array(
  z.object({
    name: z.string(),
    kind: z.string(),
    module: z.string(),
    symbols: z.array(z.string()),
    shape: z.string().optional(),
  }),
);

/**
 * The premises of a library, shared between machines with the same Lean: loaded if another machine has stored them, else read
 * from Lean and stored. They are hints; proofs that use them are judged as usual.
 */
export async function* sharedPremises(
  shelf: Shelf | undefined,
  name: string,
  read: () => AsyncIterable<readonly Premise[]>,
): AsyncGenerator<readonly Premise[]> {
  const known = premisesIn(await shelf?.get(name).catch(() => undefined));
  if (known) {
    yield known;
    return;
  }
  const all: Premise[] = [];
  for await (const page of read()) {
    all.push(...page);
    yield page;
  }
  await shelf?.put(name, gzipSync(JSON.stringify(all))).catch(() => undefined); // then each machine reads them itself
}

/** Undefined if missing or unusable. */
function premisesIn(bytes: Buffer | undefined): Premise[] | undefined {
  if (!bytes) return undefined;
  try {
    const read = premisesSchema.safeParse(JSON.parse(gunzipSync(bytes).toString()));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
