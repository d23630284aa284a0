import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const shown = 20;

/** After a run: what its files cost, most expensive first. CPU time is comparable between a busy and a quiet machine. */
export class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules
      .map((module) => ({ file: path.relative('', module.moduleId), cpu: module.meta().cpu ?? 0 }))
      .toSorted((first, second) => second.cpu - first.cpu);
    const total = costs.reduce((sum, { cpu }) => sum + cpu, 0);
    const lines = costs.map(({ file, cpu }) => `${cpu.toFixed(1).padStart(7)}  ${file}`);
    console.log(`${total.toFixed(0)} CPU-seconds in ${costs.length} files. The most expensive:`);
    console.log(lines.slice(0, shown).join('\n'));
  }
}
