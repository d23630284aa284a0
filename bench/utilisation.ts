import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ledgerOf, openEngine, openLean, settingsFrom } from '../src/app.ts';
import { wholeStatement, type LeanGoal } from '../src/lean/goals/goal.ts';
import type { EventOf } from '../src/shared/events.ts';

/**
 * Does a long run keep to its CPU target? Works on goals that never end (they are false), draws the utilisation of each
 * second, and compares every window of a minute with the target. `--minutes 5 --target 0.5`
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, target: { type: 'string', default: '0.5' } },
});
const windowSeconds = 60;
const tolerance = 0.05;
process.exitCode = await main(Number(values.minutes), Number(values.target));

async function main(minutes: number, target: number): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-utilisation-'));
  try {
    const settings = {
      ...settingsFrom({ cpu_target: String(target) }),
      ledger: path.join(folder, 'ledger.db'),
    };
    const samples: EventOf<'sample'>[] = [];
    await using ledger = await ledgerOf(settings);
    await using lean = await openLean(settings, { image: 'init' });
    const choice = { command: 'bench', sources: [], seed: 1, timeout: minutes * 60 };
    const engine = await openEngine(settings, lean, ledger, choice, (bus) => {
      bus.listen((event) => {
        if (event.type === 'sample') samples.push(event);
      });
    });
    for (let number = 0; number < minutes * 200; number++) engine.add(endless(number));
    await engine.run();
    return report(samples, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** False, but no tactic knows at once: all arms have something to try. */
function endless(number: number): LeanGoal {
  return {
    id: `endless ${number}`,
    preamble: `def walk${number} : Nat → Nat → Nat\n  | 0, b => b\n  | a + 1, b => walk${number} a (b + a)\n`,
    statement: `theorem endless${number} (a b : Nat) (xs : List Nat) : walk${number} (a + b) xs.length = walk${number} b (xs.length + a)`,
    holes: wholeStatement,
    topic: null,
    label: 'medium',
    allowAxioms: [],
    source: null,
  };
}

function report(samples: readonly EventOf<'sample'>[], target: number): number {
  let good = true;
  for (let start = 0; start + windowSeconds <= samples.length; start += windowSeconds) {
    const window = samples.slice(start, start + windowSeconds);
    const share = window.reduce((sum, { utilisation }) => sum + utilisation, 0) / window.length;
    const others = window.reduce((sum, sample) => sum + sample.others, 0) / window.length;
    const isGood = Math.abs(share - target) <= tolerance;
    good &&= isGood;
    console.log(
      `minute ${start / windowSeconds + 1}  ${(100 * share).toFixed(1).padStart(5)} %  ${isGood ? '✓' : '✗'}  others ${(100 * others).toFixed(0)} %  ${draw(window.map(({ utilisation }) => utilisation))}`,
    );
  }
  console.log(
    `target ${100 * target} %, tolerance ${100 * tolerance} points in every window of ${windowSeconds} s`,
  );
  return good ? 0 : 1;
}

/** One character a second, eight steps to a full machine. */
function draw(shares: readonly number[]): string {
  return shares.map((share) => ' ▁▂▃▄▅▆▇█'[Math.max(0, Math.min(8, Math.round(share * 8)))]).join('');
}
