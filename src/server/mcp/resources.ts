import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { graphDot, graphSvg } from '../../lean/blueprint/graph.ts';
import { summarise } from '../../store/ledger/summary.ts';
import { blueprintStatus, openBlueprint } from './project-tools.ts';
import type { Desk } from './tool.ts';

const runsListed = 50;

/** Read-only resources: the ledger's views and the blueprint's graph. */
export function addResources(server: McpServer, desk: Desk): void {
  const add = (
    name: string,
    uri: string,
    description: string,
    mimeType: string,
    read: () => Promise<string>,
  ): void => {
    server.registerResource(name, uri, { description, mimeType }, async (asked) => ({
      contents: [{ uri: asked.href, mimeType, text: await read() }],
    }));
  };
  const json = 'application/json';
  add('stats', 'orch://stats', 'Strategies, costs, tickets, last runs', json, async () =>
    JSON.stringify(await summarise(await desk.orch.ledger(), null)),
  );
  add('runs', 'orch://runs', 'Runs, newest first', json, async () =>
    JSON.stringify(await (await desk.orch.ledger()).views.runs(runsListed)),
  );
  add('market', 'orch://market', 'Helper lemmas', json, async () =>
    JSON.stringify(await (await desk.orch.ledger()).tickets.all()),
  );
  add('blueprint', 'orch://blueprint', 'Coverage and the state of every node', json, async () =>
    Promise.resolve(JSON.stringify(blueprintStatus(desk))),
  );
  add(
    'blueprint-graph',
    'orch://blueprint/graph.svg',
    'The dependency graph',
    'image/svg+xml',
    async () => await graphSvg(openBlueprint(desk)),
  );
  add(
    'blueprint-dot',
    'orch://blueprint/graph.dot',
    'The dependency graph, for Graphviz',
    'text/vnd.graphviz',
    async () => await graphDot(openBlueprint(desk)),
  );
  addGoals(server, desk);
}

/** The goals of a run. */
function addGoals(server: McpServer, { orch }: Desk): void {
  const mimeType = 'application/json';
  server.registerResource(
    'goals',
    new ResourceTemplate('orch://runs/{run}/goals', { list: undefined }),
    { description: 'The goals of a run', mimeType },
    async (uri, { run }): Promise<ReadResourceResult> => {
      const goals = await (await orch.ledger()).views.goalsOf(String(run));
      return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(goals) }] };
    },
  );
}
