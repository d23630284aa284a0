import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { packageRoot } from '../src/config/package.ts';

/**
 * `npm run bench:start -- OTHER [ROUNDS]`: CPU seconds of short commands here and in another checkout, measured in turns, processes
 * that they start included. Both use the same cache folder and are run once before the first measurement.
 */
const [other = packageRoot, rounds = '5'] = process.argv.slice(2);
const claim = ['--stmt', 'theorem t (a b : Nat) : a + b = b + a', '--proof', 'by omega'];
const commands = [['--version'], ['--help'], ['completion', 'bash'], ['check', ...claim]];

console.log('command          here  other  ratio   (median CPU-s)');
for (const args of commands) {
  const times = { here: [] as number[], other: [] as number[] };
  for (let round = 0; round <= Number(rounds); round++) {
    const [here, there] = [cpuSeconds(packageRoot, args), cpuSeconds(other, args)];
    if (round === 0) continue;
    times.here.push(here);
    times.other.push(there);
  }
  const [here, there] = [median(times.here), median(times.other)];
  console.log(
    `${(args[0] ?? '').padEnd(14)} ${here.toFixed(2).padStart(6)} ${there.toFixed(2).padStart(6)} ${(here / there).toFixed(2).padStart(6)}`,
  );
}

/** `times` of a shell prints what its children have used. */
function cpuSeconds(root: string, args: readonly string[]): number {
  const program = [process.execPath, path.join(root, 'src/cli.ts'), ...args];
  const { stdout } = spawnSync('bash', ['-c', '"$@" >/dev/null 2>&1; times', 'bash', ...program], {
    encoding: 'utf8',
    env: { ...process.env, ORCH_LEAN: 'embedded' },
  });
  const [, children = ''] = stdout.trim().split('\n');
  return children
    .split(' ')
    .map((time) => /(\d+)m([\d.]+)s/.exec(time))
    .reduce((sum, time) => sum + Number(time?.[1] ?? 0) * 60 + Number(time?.[2] ?? 0), 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, another) => one - another)[Math.floor(values.length / 2)] ?? 0;
}
