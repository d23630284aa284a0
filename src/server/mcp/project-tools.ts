import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { coverageByChapter } from '../../lean/blueprint/coverage.ts';
import { criticalNodes, criticalPath } from '../../lean/blueprint/critical.ts';
import { readBlueprint } from '../../lean/blueprint/read.ts';
import { stateBlueprint, type StatedBlueprint } from '../../lean/blueprint/states.ts';
import { Market } from '../../lean/market/market.ts';
import { standingOf } from '../../lean/market/standing.ts';
import { findGoal } from '../../store/ledger/find-goal.ts';
import { summarise } from '../../store/ledger/summary.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { secondsSchema, textContent, tool, type Desk, type Tool } from './tool.ts';
import * as answers from './answers.ts';

const ticket = z.string().min(1).max(200).describe('The id of a ticket');
const claimant = z.string().min(1).max(200).describe('Name of the claimer');

/** Tools about the work as a whole: helper lemmas, the blueprint, what the ledger knows. */
export const projectTools: readonly Tool[] = [
  tool({
    name: 'market_list',
    output: answers.tickets,
    title: 'Helper lemmas',
    description: 'Requested helper lemmas, most urgent first.',
    input: z.object({ all: z.boolean().default(false).describe('Include claimed and completed ones') }),
    async run({ all }, { desk }) {
      const tickets = await (await desk.orch.ledger()).tickets.all();
      return { tickets: tickets.filter(({ status }) => all || status === 'open') };
    },
  }),
  tool({
    name: 'market_claim',
    output: answers.ticketAnswer,
    title: 'Claim a helper lemma',
    description: 'Claim a ticket for a limited time; afterwards it is open again.',
    input: z.object({ ticket, claimant, seconds: secondsSchema.default(3600) }),
    changes: true,
    async run({ ticket: id, claimant: who, seconds: long }, { desk }) {
      const answer = await marketOf(desk, await desk.orch.ledger()).claim(id, who, long);
      if (answer.kind === 'no-ticket') throw noTicket(id);
      return answer;
    },
  }),
  tool({
    name: 'market_complete',
    output: answers.ticketAnswer,
    title: 'Deliver a helper lemma',
    description: 'Deliver the proof of a ticket; the gate judges it.',
    input: z.object({ ticket, claimant, proof: textContent, timeout_s: secondsSchema.default(60) }),
    changes: true,
    async run({ ticket: id, claimant: who, proof, timeout_s }, { desk, budget, signal }) {
      const market = marketOf(desk, await desk.orch.ledger());
      const wanted = await market.retrieve(id);
      if (!wanted) throw noTicket(id);
      const { preamble, environment } = standingOf(wanted);
      const { gate } = await desk.orch.leanFor(environment ?? desk.orch.environmentOf(preamble));
      const limits = { deadlineMs: budget.clockSeconds(timeout_s) * 1000, signal };
      const answer = await market.complete(id, who, proof, gate, limits);
      if (answer.kind === 'no-ticket') throw noTicket(id);
      if (answer.kind === 'judged') budget.charge(answer.verdict.cpu_seconds);
      return answer;
    },
  }),
  tool({
    name: 'blueprint_status',
    output: answers.coverage,
    title: 'Blueprint: coverage',
    description: 'How much of the blueprint is stated and proved, by chapter, and the state of every node.',
    input: z.object({}),
    run: async (_, { desk }) => await Promise.resolve(blueprintStatus(desk)),
  }),
  tool({
    name: 'blueprint_critical',
    output: answers.critical,
    title: 'Blueprint: critical path',
    description: 'The unproved nodes that block the most, and the longest chain of them.',
    input: z.object({ count: z.int().min(1).max(200).default(10) }),
    async run({ count }, { desk }) {
      const stated = openBlueprint(desk);
      const nodes = criticalNodes(stated).slice(0, count);
      return await Promise.resolve({
        nodes: nodes.map(({ statement, ...figures }) => ({ id: statement.id, ...figures })),
        path: criticalPath(stated).map(({ id }) => id),
      });
    },
  }),
  tool({
    name: 'orch_stats',
    output: answers.statistics,
    title: 'Statistics',
    description: 'Results and costs of strategies, tickets, and the last runs.',
    input: z.object({ since_hours: z.number().gt(0).optional() }),
    async run({ since_hours }, { desk }) {
      const now = desk.clock.date().getTime();
      const since = since_hours === undefined ? null : Math.max(1, now - since_hours * 3_600_000);
      return await summarise(await desk.orch.ledger(), since);
    },
  }),
  tool({
    name: 'orch_why',
    output: answers.why,
    title: 'Why',
    description: 'Every decision about a goal of the ledger: slates, attempts, what Lean and the gate said.',
    input: z.object({
      goal: textContent.describe('Its name, or the end of its name'),
      run: z.string().optional(),
    }),
    async run({ goal, run }, { desk }) {
      const ledger = await desk.orch.ledger();
      const found = await findGoal(ledger, goal, run);
      return (await ledger.views.goal(found.run, found.goal)) ?? {};
    },
  }),
];

export function blueprintStatus(desk: Desk): object {
  const stated = openBlueprint(desk);
  const nodes = stated.blueprint.statements.map((statement) => ({
    id: statement.id,
    kind: statement.kind,
    chapter: statement.chapter,
    lean: statement.declarations,
    uses: statement.uses,
    ...stated.states.get(statement),
  }));
  return { ...coverageByChapter(stated), nodes };
}

/** Read again each time: files change. */
export function openBlueprint({ files }: Desk): StatedBlueprint {
  return stateBlueprint(readBlueprint(files.folder));
}

function marketOf({ clock }: Desk, { tickets, journal }: Ledger): Market {
  return new Market(tickets, journal, clock);
}

function noTicket(id: string): UserError {
  return new UserError('no-ticket', `there is no ticket ${id}`, 'market_list shows them.');
}
