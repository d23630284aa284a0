import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { jsonLines, orch } from '../test/helpers/orch.ts';
import { hostileReplies, planReply, rightPlans } from './plans.ts';
import { hardRows, scriptedModel } from './scripted-model.ts';

/**
 * Hard goals at profile 2: without a model, with a model that gives right plans, again from its recorded answers with the service gone,
 * and with one that gives hostile answers. The model is scripted (`plans.ts`) and uses the real protocol.
 * Usage: npm run bench:sketch -- [--goal-cpu N] [--only bare,right,replay,hostile] [--goals 'ID,ID']
 */
const { values } = parseArgs({
  options: {
    'goal-cpu': { type: 'string', default: '60' },
    only: { type: 'string', default: 'bare,right,replay,hostile' },
    goals: { type: 'string' },
  },
});
const wanted = new Set(values.only.split(','));
const rows = hardRows().filter(({ id }) => values.goals?.split(',').includes(id) ?? true);

interface GoalLine {
  readonly type: string;
  readonly id: string;
  readonly solved: boolean;
  readonly arm: string | null;
  readonly cpu_seconds: number;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-sketch-'));
const file = path.join(folder, 'goals.jsonl');
writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const columns = new Map<string, ReadonlyMap<string, GoalLine>>();
try {
  if (wanted.has('bare')) columns.set('without', await run('bare', {}));
  if (wanted.has('right') || wanted.has('replay')) {
    const table = Object.entries(rightPlans).map(([id, plans]) => [id, plans.map(planReply)] as const);
    const service = await scriptedModel(Object.fromEntries(table));
    const model = { ORCH_MODEL: `openai:${service.url}/v1#planner`, ORCH_MODEL_CACHE: `${folder}/answers` };
    columns.set('right plans', await run('right', model));
    service.close();
    if (wanted.has('replay'))
      columns.set('replayed', await run('replay', { ...model, ORCH_MODEL_NETWORK: 'off' }));
  }
  if (wanted.has('hostile')) {
    const table = Object.entries(hostileReplies).map(([id, reply]) => [id, [reply]] as const);
    const service = await scriptedModel(Object.fromEntries(table));
    const model = { ORCH_MODEL: `openai:${service.url}/v1#planner`, ORCH_MODEL_GOAL_SECONDS: '5' };
    columns.set('hostile', await run('hostile', model));
    service.close();
  }
  report();
} finally {
  rmSync(folder, { recursive: true });
}

async function run(name: string, env: Record<string, string>): Promise<ReadonlyMap<string, GoalLine>> {
  const settings = ['--profile', '2', '--goal-cpu', values['goal-cpu'], '--cpu-target', '1', '--seed', '1'];
  const ledger = ['--ledger', path.join(folder, `${name}.db`)];
  const { code, stdout, stderr } = await orch(['run', file, '--reporter', 'json', ...settings, ...ledger], {
    cwd: folder,
    env,
  });
  if (code !== 0 && code !== 1) throw new Error(`${name}: ${stderr}`);
  const lines = (jsonLines(stdout) as GoalLine[]).filter(({ type }) => type === 'goal');
  return new Map(lines.map((line) => [line.id, line]));
}

function report(): void {
  const names = [...columns.keys()];
  process.stdout.write(`${['goal'.padEnd(26), ...names.map((name) => name.padEnd(30))].join('')}\n`);
  for (const { id } of rows) {
    const cells = names.map((name) => cellOf(columns.get(name)?.get(id)).padEnd(30));
    process.stdout.write(`${id.padEnd(26)}${cells.join('')}\n`);
  }
  const sums = names.map((name) => {
    const lines = [...(columns.get(name)?.values() ?? [])];
    const seconds = lines.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0);
    return `${lines.filter(({ solved }) => solved).length} solved, ${seconds.toFixed(0)} CPU-s`.padEnd(30);
  });
  process.stdout.write(`${'all'.padEnd(26)}${sums.join('')}\n`);
}

function cellOf(line: GoalLine | undefined): string {
  if (!line) return '-';
  return `${line.solved ? '✓' : '✗'} ${line.cpu_seconds.toFixed(1).padStart(5)} s  ${line.solved ? line.arm : ''}`;
}
