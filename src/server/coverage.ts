import { coverageByChapter } from '../lean/blueprint/coverage.ts';
import { criticalNodes, criticalPath } from '../lean/blueprint/critical.ts';
import type { Statement } from '../lean/blueprint/blueprint.ts';
import { coloursOf } from '../lean/blueprint/graph.ts';
import { layOut } from '../lean/blueprint/layout.ts';
import { prospectsFrom } from '../lean/blueprint/prospects.ts';
import { blueprintOf } from '../lean/blueprint/read.ts';
import { projectName } from '../lean/project/lake.ts';
import { judgeVersion } from '../lean/gate/judge-version.ts';
import { stateBlueprint, type StatedBlueprint } from '../lean/blueprint/states.ts';
import type { BlueprintView, CoveragePoint, CoverageView, NodeView } from '../shared/coverage.ts';
import { declarationIn } from '../shared/goal-names.ts';
import type { GoalRow } from '../shared/ledger.ts';
import { lastGoals } from '../store/ledger/last-goals.ts';
import type { Ledger } from '../store/ledger/ledger.ts';

/** The data of *Coverage*: the blueprint's current sources, and the ledger's data about its nodes. */
export async function coverageOf(ledger: Ledger, project: string): Promise<CoverageView> {
  const seq = await ledger.journal.lastSeq();
  const blueprint = blueprintOf(project);
  if (!blueprint) return { seq, blueprint: null };
  return { seq, blueprint: await viewOf(stateBlueprint(blueprint), ledger, project) };
}

async function viewOf(stated: StatedBlueprint, ledger: Ledger, folder: string): Promise<BlueprintView> {
  const { statements } = stated.blueprint;
  const goals = await lastGoals(ledger, judgeVersion(), projectName(folder));
  const layout = await layOut(stated);
  const { chapters, total } = coverageByChapter(stated);
  const critical = new Map(criticalNodes(stated, prospectsFrom(goals)).map((node) => [node.statement, node]));
  const dashed = new Set(
    stated.edges.flatMap(({ from, to, inStatement }) => (inStatement ? [key(from.id, to.id)] : [])),
  );
  return {
    chapters: chapters.map(({ chapter, coverage }) => ({ chapter, ...coverage })),
    total: { chapter: '', ...total },
    nodes: statements.map((statement): NodeView => {
      const { id, kind, title, chapter, declarations } = statement;
      const { border = null, fill = null } = coloursOf(stated, statement);
      const worth = critical.get(statement);
      return {
        id,
        kind,
        title,
        chapter,
        declarations,
        border,
        fill,
        proved: isProved(stated, statement),
        critical: worth ? { blocks: worth.blocks, waits: worth.waits, value: worth.value } : null,
        goal: goalOf(statement, goals),
        ...(layout.nodes.get(id) ?? { x: 0, y: 0, width: 0, height: 0 }),
      };
    }),
    edges: layout.edges.map(({ from, to, path }) => ({
      from,
      to,
      path,
      in_statement: dashed.has(key(from, to)),
    })),
    width: layout.width,
    height: layout.height,
    path: criticalPath(stated).map(({ id }) => id),
    history: await historyOf(stated, goals, ledger),
  };
}

const key = (from: string, to: string): string => JSON.stringify([from, to]);

function isProved({ states }: StatedBlueprint, statement: Statement): boolean {
  return states.get(statement)?.proved === true;
}

/** Prefers an open goal to a closed one, because users click to see what is missing. */
function goalOf({ declarations }: Statement, goals: readonly GoalRow[]): NodeView['goal'] {
  const newest = declarations.flatMap((name) => goals.find(({ goal }) => declarationIn(goal) === name) ?? []);
  const found = newest.find(({ status }) => status !== 'solved') ?? newest[0];
  return found
    ? { run: found.run, goal: found.goal, statement: found.statement, status: found.status }
    : null;
}

/**
 * Number of proofs after each run. A node counts once a run has proved its last declaration; marked nodes that no run proved count from the start.
 */
async function historyOf(
  stated: StatedBlueprint,
  goals: readonly GoalRow[],
  { views }: Ledger,
): Promise<CoveragePoint[]> {
  const seen = new Set(goals.map(({ run }) => run));
  const runs = (await views.runs(50)).filter(({ run }) => seen.has(run)).toReversed();
  const order = new Map(runs.map(({ run }, index) => [run, index]));
  const solvedIn = new Map<string, number>();
  for (const { goal, run, status } of goals.toReversed()) {
    const name = declarationIn(goal);
    if (status === 'solved' && !solvedIn.has(name)) solvedIn.set(name, order.get(run) ?? 0);
  }
  const wanted = stated.blueprint.statements.filter(({ kind }) => kind !== 'definition');
  const since = wanted.flatMap((statement) => {
    const found = statement.declarations.map((name) => solvedIn.get(name));
    const isFound = found.length > 0 && found.every((index) => index !== undefined);
    if (isFound) return [Math.max(...found)];
    return isProved(stated, statement) ? [0] : [];
  });
  return runs.map(({ run, finished, started }, index) => ({
    run,
    at: finished ?? started,
    proved: since.filter((from) => from <= index).length,
  }));
}
