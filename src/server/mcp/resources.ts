import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { graphDot, graphSvg } from '../../lean/blueprint/graph.ts';
import { summarise } from '../../store/ledger/summary.ts';
import { blueprintStatus, openBlueprint } from './project-tools.ts';
import type { Desk } from './tool.ts';

const runsListed = 50;
const json = 'application/json';

/** Read-only resources: the ledger's views and the blueprint's graph. A server with several projects adds a suffix to the names. */
export function addResources(server: McpServer, desk: Desk, suffix: string): void {
  const add = (uri: string, description: string, mimeType: string, read: () => Promise<string>): void => {
    const named = `${uri}${suffix}`;
    server.registerResource(named, named, { description, mimeType }, async (asked) => ({
      contents: [{ uri: asked.href, mimeType, text: await read() }],
    }));
  };
  const { orch } = desk;
  add('orch://stats', 'Strategies, costs, tickets, last runs', json, async () =>
    JSON.stringify(await summarise(await orch.ledger(), null)),
  );
  add('orch://runs', 'Runs, newest first', json, async () =>
    JSON.stringify(await (await orch.ledger()).views.runs(runsListed)),
  );
  add('orch://market', 'Helper lemmas', json, async () =>
    JSON.stringify(await (await orch.ledger()).tickets.all()),
  );
  add(
    'orch://blueprint',
    'Coverage and the state of every node',
    json,
    async () => await Promise.resolve(JSON.stringify(blueprintStatus(desk))),
  );
  const graph = 'orch://blueprint/graph';
  add(
    `${graph}.svg`,
    'The dependency graph',
    'image/svg+xml',
    async () => await graphSvg(openBlueprint(desk)),
  );
  add(
    `${graph}.dot`,
    'The dependency graph, for Graphviz',
    'text/vnd.graphviz',
    async () => await graphDot(openBlueprint(desk)),
  );
  addOfRuns(server, desk, suffix, 'goals', async (run) => await (await orch.ledger()).views.goalsOf(run));
  addOfRuns(server, desk, suffix, 'proofs', async (run) => await proofsOf(desk, run));
}

/** A resource of each run; the last runs are listed. */
function addOfRuns(
  server: McpServer,
  { orch }: Desk,
  suffix: string,
  kind: 'goals' | 'proofs',
  read: (run: string) => Promise<object>,
): void {
  const list = async (): Promise<{ resources: { uri: string; name: string; mimeType: string }[] }> => {
    const runs = await (await orch.ledger()).views.runs(runsListed);
    return {
      resources: runs.map(({ run }) => ({
        uri: `orch://runs/${run}/${kind}${suffix}`,
        name: `${kind} of ${run}`,
        mimeType: json,
      })),
    };
  };
  const template = `orch://runs/{run}/${kind}${suffix}`;
  server.registerResource(
    template,
    new ResourceTemplate(template, { list }),
    { description: `The ${kind} of a run`, mimeType: json },
    async (uri, { run }) => ({
      contents: [{ uri: uri.href, mimeType: json, text: JSON.stringify(await read(String(run))) }],
    }),
  );
}

async function proofsOf({ orch }: Desk, run: string): Promise<object[]> {
  const { views } = await orch.ledger();
  const solved = (await views.goalsOf(run)).filter(({ status }) => status === 'solved');
  return await Promise.all(
    solved.map(async ({ goal, statement }) => {
      const detail = await views.goal(run, goal);
      const proofs = (detail?.proofs ?? []).map(({ proof, strategy, assurance, axioms }) => ({
        proof,
        strategy,
        assurance,
        axioms,
      }));
      return { goal, statement, proofs };
    }),
  );
}
