import type { ArmStats } from '../shared/ledger.ts';
import { formatSeconds } from './format.ts';

/** Costs of attempts besides CPU, as in every view of the ledger. */
type Bought = Pick<
  ArmStats,
  'gpu_seconds' | 'cloud_seconds' | 'input_tokens' | 'output_tokens' | 'microdollars'
>;

/** A name and a figure for each nonzero cost. */
export function boughtRows(rows: readonly Bought[]): [name: string, figure: string][] {
  const sum = (key: keyof Bought): number => rows.reduce((total, row) => total + row[key], 0);
  const [gpu, cloud] = [sum('gpu_seconds'), sum('cloud_seconds')];
  const [read, written] = [sum('input_tokens'), sum('output_tokens')];
  const microdollars = sum('microdollars');
  const all: [name: string, amount: number, figure: string][] = [
    ['GPU', gpu, formatSeconds(gpu)],
    ['cloud', cloud, formatSeconds(cloud)],
    ['tokens', read + written, `${read} read, ${written} written`],
    ['models', microdollars, formatDollars(microdollars)],
  ];
  return all.flatMap(([name, amount, figure]) => (amount > 0 ? [[name, figure]] : []));
}

/** To a hundredth of a cent, since a call may cost less than a cent. */
export function formatDollars(microdollars: number): string {
  return `$${(microdollars / 1e6).toFixed(4)}`;
}
