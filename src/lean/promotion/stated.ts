import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { GoalDetail } from '../../shared/ledger.ts';
import { helperName } from '../market/lemma.ts';
import type { Market, TicketGate, TicketRequest } from '../market/market.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { environmentOf } from '../project/environment.ts';
import { planShipping } from '../ship/plan.ts';
import type { Yard } from '../ship/shipments.ts';
import { inWorktree } from '../ship/worktree.ts';
import type { FileLean } from '../writing/writer.ts';
import { Ground } from './ground.ts';

/** A `have` of a proof, read as a theorem. */
export interface StatedInside {
  readonly statement: string;
  readonly proof: string;
}

/** The general facts that a proof states and proves: those with variables of their own. */
export function statedInside(proof: string): StatedInside[] {
  const lines = proof.split('\n');
  return lines.flatMap((line, index): StatedInside[] => {
    const [, indent = '', name = ''] =
      /^([ \t]*)have ([\p{L}_][\p{L}\p{N}_']*)(?=[\s:({[⦃])/u.exec(line) ?? [];
    if (name === '') return [];
    const length = lines
      .slice(index + 1)
      .findIndex((one) => one.trim() !== '' && !one.startsWith(`${indent} `));
    const block = lines.slice(index, length < 0 ? undefined : index + 1 + length).join('\n');
    const at = block.indexOf(':=');
    const stated = block.slice(0, at).trim();
    const isGeneral = /^have \S+\s*(?:[({[⦃]|:\s*∀)/.test(stated);
    if (at < 0 || !isGeneral) return [];
    const proved = block
      .slice(at + 2)
      .trim()
      .replaceAll(`\n${indent}`, '\n');
    return [{ statement: `theorem ${stated.slice('have '.length)}`, proof: proved }];
  });
}

/**
 * Records lemmas that a search has stated inside its own proofs as finished tickets. The gate judges each outside its proof, so one
 * that needs the context of its goal is no lemma. It does so in a work tree of the base: the one of a sweep is gone by now.
 */
export async function recordStated(
  { pool, gate }: FileLean,
  market: Market,
  { git, start }: Pick<Yard, 'git' | 'start'>,
  solved: ReadonlyMap<string, readonly GoalDetail[]>,
): Promise<void> {
  const files = [...solved].filter(([, goals]) =>
    goals.some(({ proofs }) => statedInside(proofs.at(-1)?.proof ?? '').length > 0),
  );
  if (files.length === 0) return;
  const recorded = await inWorktree(git, start, async ({ folder: tree }) => {
    const { declarations } = await planShipping(pool, tree, new Map(files));
    for (const { goal, known } of declarations.flatMap(({ holes }) => holes)) {
      const { preamble, environment = environmentOf(preamble) } = goal;
      const ground = new Ground(pool, preamble, environment);
      const inTree: TicketGate = {
        check: async (claim, limits) => await gate.check({ ...claim, environment }, limits),
        judgeFile: async (claim, limits) => await gate.judgeFile({ ...claim, environment }, limits),
      };
      for (const { statement, proof } of statedInside(known.proofs.at(-1)?.proof ?? '')) {
        if (!(await ground.holds(statement, proof))) continue;
        const { ticket } = await market.request(requestOf(inCheckout(goal, tree, git.folder), statement));
        if (ticket.status !== 'open') continue;
        await market.complete(ticket.ticket_id, `proof of ${goal.id}`, proof, inTree);
      }
    }
  });
  if (!recorded.ok) throw new UserError('promotion-git', recorded.error.message);
}

/** The same goal with the project's own folder, where later requests for the lemma find it. */
function inCheckout(goal: LeanGoal, tree: string, folder: string): LeanGoal {
  const { environment } = goal;
  if (!environment || environment.project === null) return goal;
  const project = path.join(folder, path.relative(tree, environment.project));
  return { ...goal, environment: { ...environment, project } };
}

function requestOf({ id, preamble, environment }: LeanGoal, statement: string): TicketRequest {
  return {
    goal: statement,
    goal_hash: null,
    context: [preamble],
    environment: environment ?? null,
    suggested_name: helperName(statement),
    constraints: [],
    priority: 0.5,
    requester: id,
    dependencies: [],
  };
}
