import { type Command } from 'commander';
import { descriptions } from '../../config/descriptions.ts';
import type { Coverage } from '../../shared/coverage.ts';
import type { StatedBlueprint } from '../../lean/blueprint/states.ts';
import { registerBlueprintLean } from './blueprint-lean.ts';
import { alignColumns } from '../../reporters/format.ts';
import { plural } from '../../shared/plural.ts';
import { parseCount } from '../options/options.ts';

/** `orch blueprint …`: the state of a formalisation's blueprint, and what blocks it. */
export function registerBlueprint(program: Command): void {
  const blueprint = program
    .command('blueprint')
    .description('Work with a leanblueprint: coverage, graph, critical path, errors');
  const place = '[place]';
  const about = 'project, blueprint folder or .tex file (default: this folder)';

  blueprint
    .command('status')
    .description('Show how much is stated and proved per chapter')
    .argument(place, about, '.')
    .option('--json', 'print every node with its state as JSON')
    .action(async (where: string, options: { json?: true }) => {
      const stated = await open(where);
      process.stdout.write(options.json ? nodesJson(stated) : await statusText(stated));
    });
  blueprint
    .command('graph')
    .description("Draw the dependency graph in leanblueprint's colours")
    .argument(place, about, '.')
    .requiredOption('--out <file>', 'output file, .svg or .dot')
    .option('--no-titles', 'show labels without titles')
    .action(async (where: string, { out, titles }: { out: string; titles: boolean }) => {
      await drawGraph(await open(where), out, titles);
    });
  blueprint
    .command('critical')
    .description('Rank unproved nodes by blocked work × chance ÷ cost, and show the longest chain')
    .argument(place, about, '.')
    .option('-n, --count <n>', 'number of nodes', parseCount, 10)
    .option('--ledger <file>', descriptions.ledger)
    .option('--json', 'print JSON')
    .action(async (where: string, options: CriticalOptions) => {
      process.stdout.write(await criticalText(await open(where), options));
    });
  registerBlueprintLean(blueprint);
}

async function open(place: string): Promise<StatedBlueprint> {
  const { readBlueprint } = await import('../../lean/blueprint/read.ts');
  const { stateBlueprint } = await import('../../lean/blueprint/states.ts');
  return stateBlueprint(readBlueprint(place));
}

async function statusText(stated: StatedBlueprint): Promise<string> {
  const { coverageByChapter } = await import('../../lean/blueprint/coverage.ts');
  const { chapters, total } = coverageByChapter(stated);
  return alignColumns(
    [
      ['chapter', 'nodes', 'stated', 'to prove', 'proved', 'fully', 'can state', 'can prove'],
      ...chapters.map(({ chapter, coverage }) => coverageRow(chapter || '(before the first)', coverage)),
      coverageRow('all', total),
    ],
    ['left', ...Array.from({ length: 7 }, () => 'right' as const)],
  );
}

function coverageRow(name: string, covered: Coverage): string[] {
  const { nodes, stated, proofs, proved, fully_proved, can_state, can_prove } = covered;
  return [name, ...[nodes, stated, proofs, proved, fully_proved, can_state, can_prove].map(String)];
}

function nodesJson({ blueprint, states }: StatedBlueprint): string {
  const nodes = blueprint.statements.map((statement) => ({
    id: statement.id,
    kind: statement.kind,
    title: statement.title,
    chapter: statement.chapter,
    lean: statement.declarations,
    uses: statement.uses,
    proof_uses: statement.proof?.uses ?? null,
    ...states.get(statement),
  }));
  return `${JSON.stringify({ nodes }, null, 2)}\n`;
}

async function drawGraph(stated: StatedBlueprint, out: string, titles: boolean): Promise<void> {
  const { graphDot } = await import('../../lean/blueprint/graph.ts');
  const { writeGraph } = await import('../../lean/base/dot.ts');
  await writeGraph(out, await graphDot(stated, { titles }));
  process.stderr.write(
    `${out}: ${plural(stated.blueprint.statements.length, 'node')}, ${plural(stated.edges.length, 'edge')}\n`,
  );
}

interface CriticalOptions {
  readonly count: number;
  readonly ledger?: string;
  readonly json?: true;
}

async function criticalText(
  stated: StatedBlueprint,
  { count, ledger, json }: CriticalOptions,
): Promise<string> {
  const { criticalNodes, criticalPath } = await import('../../lean/blueprint/critical.ts');
  const { prospectsFrom } = await import('../../lean/blueprint/prospects.ts');
  const { ledgerIfThere } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { lastGoals } = await import('../../store/ledger/last-goals.ts');
  const { judgeVersion } = await import('../../lean/gate/judge-version.ts');
  const { projectName } = await import('../../lean/project/lake.ts');
  await using known = await ledgerIfThere(settingsFrom({ ledger }));
  const prospects = prospectsFrom(known ? await lastGoals(known, judgeVersion(), projectName('.')) : []);
  const pins = (await known?.tickets.pins()) ?? [];
  const nodes = criticalNodes(stated, prospects, pins).slice(0, count);
  const path = criticalPath(stated).map(({ id }) => id);
  if (json) {
    const rows = nodes.map(({ statement, ...figures }) => ({ id: statement.id, ...figures }));
    return `${JSON.stringify({ nodes: rows, path }, null, 2)}\n`;
  }
  if (nodes.length === 0) return 'Everything is proved.\n';
  const table = alignColumns(
    [
      ['node', 'blocks', 'waits for', 'betweenness', 'chance', 'CPU-s', 'value'],
      ...nodes.map(({ statement, blocks, waits, betweenness, chance, cost, value }) => [
        statement.id,
        String(blocks),
        String(waits),
        betweenness.toFixed(4),
        chance.toFixed(2),
        cost.toFixed(0),
        value.toFixed(2),
      ]),
    ],
    ['left', ...Array.from({ length: 6 }, () => 'right' as const)],
  );
  const pinned = nodes.filter((node) => node.pinned).map(({ statement }) => statement.id);
  const byHand = pinned.length === 0 ? '' : `\npinned: ${pinned.join(', ')}\n`;
  return `${table}${byHand}\nlongest chain (${path.length}): ${path.join(' → ')}\n`;
}
