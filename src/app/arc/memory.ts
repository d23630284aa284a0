import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { ArcMemoryStore, memoryTables } from '../../store/arc-memory/store.ts';

const defaultNamespace = 'default';

/** The memory of the ARC loop, when ARC_V3_MEMORY_DIR names its folder; otherwise undefined: memory is off. */
export function openMemory(namespace: string | undefined): ArcMemoryStore | undefined {
  const folder = process.env['ARC_V3_MEMORY_DIR'];
  if (folder === undefined || folder === '') return undefined;
  return new ArcMemoryStore(folder, namespace ?? process.env['ARC_V3_MEMORY_NAMESPACE'] ?? defaultNamespace);
}

function neededMemory(namespace: string | undefined): ArcMemoryStore {
  const memory = openMemory(namespace);
  if (memory !== undefined) return memory;
  throw new UserError(
    'ARC_MEMORY_OFF',
    'memory is off',
    'Set ARC_V3_MEMORY_DIR to the folder of the memory.',
  );
}

export interface MemoryFlags {
  readonly trainNamespace?: string;
}

/** Number of rows per table of the namespace. */
export function memoryStats({ trainNamespace }: MemoryFlags): void {
  using memory = neededMemory(trainNamespace);
  process.stdout.write(`${JSON.stringify(memory.counts())}\n`);
}

export function memoryPrune({ trainNamespace }: MemoryFlags): void {
  using memory = neededMemory(trainNamespace);
  process.stdout.write(`${JSON.stringify(memory.prune())}\n`);
}

/** Gold solutions, fragments and cases, which later runs use, as JSON lines. */
export function memoryExport(file: string, { trainNamespace }: MemoryFlags): void {
  using memory = neededMemory(trainNamespace);
  const withText = <Row extends { program: string }>(row: Row) => ({
    ...row,
    program: memory.blob(row.program) ?? '',
  });
  const rows = [
    ...memory.golds().map((row) => ({ table: 'gold_solutions', row: withText(row) })),
    ...memory.fragments().map((row) => ({ table: 'fragments', row: withText(row) })),
    ...memory.cases().map((row) => ({ table: 'cases', row })),
  ];
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

const text = z.string();
const exported = z.discriminatedUnion('table', [
  z.strictObject({
    table: z.literal('gold_solutions'),
    row: z.object({ fingerprint: text, program: text, price: z.number(), fact_features: z.array(text) }),
  }),
  z.strictObject({
    table: z.literal('fragments'),
    row: z.object({ fragment_id: text, fingerprint: text, program: text, gain: z.number() }),
  }),
  z.strictObject({
    table: z.literal('cases'),
    row: z.object({
      ops_signature: text,
      error_type: text,
      directive: text,
      exemplar: text,
      n: z.int(),
      improved: z.int(),
      sum_delta: z.number(),
      best_delta: z.number(),
    }),
  }),
]);

/** Imports an exported memory completely or not at all. */
export function memoryImport(file: string, { trainNamespace }: MemoryFlags): void {
  using memory = neededMemory(trainNamespace);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  memory.transaction(() => {
    for (const [i, line] of lines.entries()) {
      const parsed = exported.safeParse(parsedJson(line));
      if (!parsed.success)
        throw new UserError(
          'ARC_MEMORY_ROW',
          `${file}:${i + 1} is not a row of ${memoryTables.join(', ')}`,
          'Nothing was imported.',
        );
      const { table, row } = parsed.data;
      if (table === 'gold_solutions') memory.addGold({ ...row, program: memory.keep(row.program) });
      else if (table === 'fragments') memory.addFragment({ ...row, program: memory.keep(row.program) });
      else memory.addCase(row);
    }
  });
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
