import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { coverageByChapter } from '../../lean/blueprint/coverage.ts';
import { criticalNodes, criticalPath } from '../../lean/blueprint/critical.ts';
import { readBlueprint } from '../../lean/blueprint/read.ts';
import { stateBlueprint, type StatedBlueprint } from '../../lean/blueprint/states.ts';
import { Market } from '../../lean/market/market.ts';
import { postLemma } from '../../lean/market/post.ts';
import { standingOf } from '../../lean/market/standing.ts';
import { ticketKinds } from '../../shared/events.ts';
import { findGoal } from '../../store/ledger/find-goal.ts';
import { summarise } from '../../store/ledger/summary.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { secondsSchema, textContent, tool, type Desk, type Tool } from './tool.ts';
import * as answers from './answers.ts';

const ticket = z.string().min(1).max(200).describe('The id of a ticket');
const claimant = z.string().min(1).max(200).describe('Name of the claimer');

/** Seconds between polls of the ledger. */
const lookSeconds = 0.5;

/** Tools about the whole project: helper lemmas, the blueprint, the ledger. */
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
    name: 'market_post',
    output: answers.ticketAnswer,
    title: 'Ask for a helper lemma',
    description:
      'Ask others for a lemma. Lean must be able to read it, and no small instance may refute it. For a lemma that was already requested, returns its ticket, with the proof if there is one.',
    input: z.object({
      statement: textContent.describe(
        'theorem name binders : type (def or instance for those kinds), or only the type',
      ),
      kind: z.enum(ticketKinds).default('lemma'),
      proof: textContent.optional().describe('For a refactor: the proof that is to become shorter'),
      name: z.string().min(1).max(200).default('helper').describe('Name, if the statement has none'),
      preamble: z.string().max(1_000_000).default('').describe('Lean text that the statement depends on'),
      constraints: z.array(z.string().min(1).max(1000)).max(32).default([]),
      depends_on: z.array(ticket).max(32).default([]),
      priority: z.number().min(0).max(1).default(0.5),
      requester: claimant,
      timeout_s: secondsSchema.default(60),
    }),
    changes: true,
    async run({ statement, preamble, depends_on, timeout_s, ...rest }, { desk, budget, signal }) {
      const environment = desk.orch.environmentOf(preamble);
      const lean = await desk.orch.leanFor(environment);
      const wish = { ...rest, goal: statement, preamble, environment, dependencies: depends_on };
      const limits = { deadlineMs: budget.clockSeconds(timeout_s) * 1000, signal };
      const market = marketOf(desk, await desk.orch.ledger());
      const posted = await postLemma(lean, market, wish, {
        ...limits,
        charge: (cpuSeconds) => budget.charge(cpuSeconds),
      });
      if (!posted.ok) throw new UserError(posted.error.kind, posted.error.message, posted.error.fix);
      return posted.value;
    },
  }),
  tool({
    name: 'market_wait',
    output: answers.waited,
    title: 'Wait for helper lemmas',
    description: 'Wait until one of the tickets is completed or the time limit is reached. Uses no CPU.',
    input: z.object({ tickets: z.array(ticket).min(1).max(32), wait_s: secondsSchema.default(60) }),
    async run({ tickets, wait_s }, { desk, signal, progress }) {
      const market = marketOf(desk, await desk.orch.ledger());
      for (let waited = 0; ; waited += lookSeconds) {
        const found = await Promise.all(tickets.map(async (id) => await market.retrieve(id)));
        const missing = tickets.find((_, index) => found[index] === undefined);
        if (missing !== undefined) throw noTicket(missing);
        const completed = found.filter((one) => one?.status === 'completed');
        if (completed.length > 0 || waited >= wait_s) return { completed, timed_out: completed.length === 0 };
        progress(waited, wait_s, `${tickets.length} open`);
        await setTimeout(lookSeconds * 1000, undefined, { signal });
      }
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
    output: answers.blueprintCoverage,
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
      const pins = await (await desk.orch.ledger()).tickets.pins();
      const nodes = criticalNodes(stated, undefined, pins).slice(0, count);
      return {
        nodes: nodes.map(({ statement, ...figures }) => ({ id: statement.id, ...figures })),
        path: criticalPath(stated).map(({ id }) => id),
      };
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

export function marketOf({ clock }: Desk, { tickets, journal }: Ledger): Market {
  return new Market(tickets, journal, clock);
}

function noTicket(id: string): UserError {
  return new UserError('no-ticket', `there is no ticket ${id}`, 'market_list shows them.');
}
