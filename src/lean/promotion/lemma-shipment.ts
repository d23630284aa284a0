import { existsSync } from 'node:fs';
import path from 'node:path';
import { success } from '../../core/result.ts';
import { readTextFile } from '../../io/text-file.ts';
import { writeWhole } from '../../io/whole-file.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import { markProved, nodesNaming } from '../blueprint/sync-file.ts';
import type { Verdict } from '../gate/verdict.ts';
import { sorriesBelow } from '../goals/count-sorries.ts';
import type { Shipment } from '../ship/ship.ts';
import type { Yard } from '../ship/shipments.ts';
import { branchOf, textsOf, type RequestTexts } from '../ship/texts.ts';
import { inWorktree } from '../ship/worktree.ts';
import type { FileLean } from '../writing/writer.ts';
import { draftNode } from './node.ts';
import { judgeAddition, notPromoted, type PlacedLemma, type User } from './promote.ts';

/** A lemma that is being moved to a branch. */
export interface Lemma {
  readonly name: string;
  /** From the top of the repository. */
  readonly file: string;
  readonly after: string;
  readonly statement: string;
  readonly verdict: Verdict;
  readonly ticket: TicketRow;
  readonly users: readonly string[];
}

export function lemmaIn(
  { name, file, after, statement, verdict }: PlacedLemma,
  ticket: TicketRow,
  users: readonly User[],
  tree: string,
): Lemma {
  const names = [...new Set(users.map(({ declaration }) => declaration))];
  return { name, file: path.relative(tree, file), after, statement, verdict, ticket, users: names };
}

export function lemmaShipment(lean: FileLean, { git, project }: Yard, lemma: Lemma): Shipment {
  const { name, file, after, users } = lemma;
  return {
    name,
    branch: branchOf(name),
    async write(tree) {
      const folder = path.join(tree, project);
      const sorries = sorriesBelow(folder);
      writeWhole(path.join(tree, file), after);
      lean.pool.environments.forget();
      const label = await draftNode(lean.pool, folder, { name, file: path.join(tree, file), after }, users);
      const script = lemma.ticket.completed_proof ?? '';
      const facts = { script, constants: namesIn(script) };
      markProved(folder, [{ ...lemma.verdict, name }], new Map([[name, facts]]));
      return success(described(lemma, lemma.verdict, label === undefined ? [] : [label], sorries));
    },
    async holds(tree, start) {
      const changed = await git.in(tree).changedSince(start);
      const isOther = (one: string): boolean =>
        one !== file && !(one.startsWith(path.join(project, 'blueprint/')) && one.endsWith('.tex'));
      const other = changed.find(isOther);
      if (other !== undefined) return notPromoted(`it changes ${other}`);
      if (!existsSync(path.join(tree, file))) return notPromoted(`it has no ${file}`);
      const there = readTextFile(path.join(tree, file));
      const judged = await inWorktree(git, start, async ({ folder }) => {
        const texts = { before: readTextFile(path.join(folder, file)), after: there };
        const addition = await judgeAddition(lean.gate, path.join(tree, file), texts, name);
        return { addition, sorries: sorriesBelow(path.join(folder, project)) };
      });
      if (!judged.ok) return judged;
      const { addition, sorries } = judged.value;
      if (!addition.ok) return addition;
      if (!flat(there).includes(flat(lemma.statement))) return notPromoted(`its ${name} says something else`);
      const nodes = nodesNaming(path.join(tree, project), name);
      return success(described(lemma, lemma.verdict, nodes, sorries));
    },
  };
}

/** Names with a namespace in a proof: other words may be tactics or variables. */
const namesIn = (script: string): string[] =>
  script.match(/(?<![\p{L}\p{N}_.'])\p{L}[\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_']*)+/gu) ?? [];

const flat = (text: string): string => text.replaceAll(/\s+/g, '');

function described(
  { name, file, ticket, users }: Lemma,
  { axioms, toolchain, second_kernel, assurance }: Verdict,
  nodes: readonly string[],
  sorries: number,
): RequestTexts {
  return textsOf({
    name,
    file,
    proof: ticket.completed_proof ?? '',
    assurance: assurance ?? ticket.assurance ?? '',
    strategy: 'market',
    seconds: 0,
    cost: { cpu: ticket.cpu_seconds, gpu: 0, cloud: 0 },
    // a search that states a lemma inside a proof has no cost of its own
    countedWith: ticket.cpu_seconds === 0 ? users : [],
    attempts: 0,
    cacheHits: 0,
    dollars: 0,
    toolchain,
    axioms,
    premises: [],
    secondKernel: second_kernel?.answer ?? null,
    statementHashes: ticket.goal_hash === null ? [] : [ticket.goal_hash],
    sorries: { before: sorries, after: sorries },
    nodes,
    below: [],
    stuck: [],
    isFullyProved: true,
  });
}
