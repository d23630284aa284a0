import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { openLedger } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import type { SeededRandom } from '../../helpers/random.ts';
import { afterPowerCut, readTrace, recordWriter, restore } from './disk-trace.ts';

const goals = 6;

/** Records a writer's disk operations, cuts the power at random moments or after every step, and opens what is left. */
export async function survivePowerCuts(cuts: number | 'every step', random: SeededRandom): Promise<void> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'disk', 'ledger.db');
  const trace = path.join(folder, 'trace');
  expect(recordWriter(file, goals, trace)).toMatchObject({ code: 0 });
  const steps = readTrace(trace, path.join(folder, 'disk'));
  expect(steps.filter((step) => step.kind === 'told' && isAnnounced(step.text)).length).toBeGreaterThan(60);
  const moments =
    cuts === 'every step'
      ? steps.map((_, index) => index + 1)
      : Array.from({ length: cuts }, () => 1 + random.below(steps.length));
  for (const count of moments) {
    const told = steps
      .slice(0, count)
      .flatMap((step) => (step.kind === 'told' && isAnnounced(step.text) ? [step.text] : []));
    const after = path.join(folder, 'after');
    restore(afterPowerCut(steps, count, random), after);
    await holds(
      path.join(after, 'ledger.db'),
      told,
      `the power failed after step ${count} of ${steps.length}`,
    );
    rmSync(after, { recursive: true, force: true });
  }
}

function isAnnounced(text: string): boolean {
  return /^\d+ /.test(text);
}

/** Calls of the writer that fail, one in each run: it ends, and what it announced is there. */
export async function surviveFailures(faults: readonly string[]): Promise<void> {
  for (const fault of faults) {
    const folder = temporaryFolder();
    const file = path.join(folder, 'ledger.db');
    const paths = ['ledger.db', 'ledger.db-wal'].flatMap((name) => ['-P', path.join(folder, name)]);
    const flags = [...paths, '-e', `inject=${fault}`];
    const { code, told } = recordWriter(file, goals, path.join(folder, 'trace'), flags);
    expect({ fault, ended: code !== 0 }).toEqual({ fault, ended: true });
    await holds(file, told, fault);
  }
}

async function holds(file: string, told: readonly string[], when: string): Promise<void> {
  if (told.length === 0 && !existsSync(file)) return;
  await using ledger = await openLedger(file, { clock: systemClock });
  const events = (await ledger.journal.eventsSince(0, 100_000)).map(({ seq, type }) => `${seq} ${type}`);
  const more = events.length - told.length;
  expect({ when, kept: events.slice(0, told.length) }).toEqual({ when, kept: told });
  expect({ when, more, isOneAtMost: more <= 1 }).toEqual({ when, more, isOneAtMost: true });
  expect({ when, faults: await ledger.verify() }).toEqual({ when, faults: [] });
}
