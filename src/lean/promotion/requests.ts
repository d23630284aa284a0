import { existsSync } from 'node:fs';
import path from 'node:path';
import { failed, success, type Failed, type Result } from '../../core/result.ts';
import { readTextFile } from '../../io/text-file.ts';
import { writeWhole } from '../../io/whole-file.ts';
import type { Promoted } from '../../shared/api.ts';
import type { GoalDetail, TicketRow } from '../../shared/ledger.ts';
import { nodesNaming, markProved } from '../blueprint/sync-file.ts';
import type { Verdict } from '../gate/verdict.ts';
import { sorriesBelow } from '../goals/count-sorries.ts';
import { theoremOf } from '../market/lemma.ts';
import { environmentOfFile } from '../project/environment.ts';
import { planShipping, type ProvedDeclaration } from '../ship/plan.ts';
import { ship, type Shipment, type Shipped } from '../ship/ship.ts';
import { shipGoals, type Yard } from '../ship/shipments.ts';
import { branchOf, textsOf, type RequestTexts } from '../ship/texts.ts';
import { inWorktree } from '../ship/worktree.ts';
import type { FileLean } from '../writing/writer.ts';
import { containsHelper, saidIn, usedByName } from './by-name.ts';
import { draftNode } from './node.ts';
import { Ground } from './ground.ts';
import { judgeAddition, promote, type PlacedLemma, type Promotion, type User } from './promote.ts';
import { statedInside } from './stated.ts';

export interface PromotedAll {
  readonly lemmas: readonly Promoted[];
  /** The pull requests of lemmas and goals, each after the one it builds on. */
  readonly shipped: readonly Shipped[];
  /** Declarations whose proofs use the lemmas by name. */
  readonly declarations: ReadonlySet<string>;
}

type Solved = ReadonlyMap<string, readonly GoalDetail[]>;

/**
 * Turns finished tickets into theorems, each on a branch on top of the previous one, and the goals that use them into branches
 * on top of those. A goal whose proofs cannot use the theorem keeps its proof.
 */
export async function promoteTickets(
  lean: FileLean,
  yard: Yard,
  tickets: readonly TicketRow[],
  solved: Solved,
): Promise<PromotedAll> {
  const all = new Promoting(lean, yard, solved);
  for (const ticket of tickets) await all.promote(ticket);
  await all.shipUsers();
  return { lemmas: all.lemmas, shipped: all.shipped, declarations: all.declarations };
}

/** The base of the next branch. */
interface Tip {
  readonly start: string;
  readonly base: string;
}

class Promoting {
  readonly lemmas: Promoted[] = [];
  readonly shipped: Shipped[] = [];
  readonly #lean: FileLean;
  readonly #yard: Yard;
  /** With proofs that use theorems by name, if there are any. */
  #solved: Solved;
  #tip: Tip;
  /** The base of a goal's branch: the last lemma it uses. */
  readonly #tips = new Map<string, Tip>();
  /** What the proofs stated that now use a theorem, with its name. */
  readonly #replaced = new Map<string, string>();

  constructor(lean: FileLean, yard: Yard, solved: Solved) {
    this.#lean = lean;
    this.#yard = yard;
    this.#solved = solved;
    this.#tip = { start: yard.start, base: yard.base };
  }

  get declarations(): ReadonlySet<string> {
    return new Set(this.#tips.keys());
  }

  async promote(ticket: TicketRow): Promise<void> {
    const { ticket_id } = ticket;
    const statement = theoremOf(ticket);
    const tell = (result: Promoted['result'], name: string, message: string, lemma?: Lemma): void => {
      const branch = result === 'promoted' ? branchOf(name) : null;
      this.lemmas.push({ ticket: ticket_id, result, name, message, file: lemma?.file ?? null, branch });
    };
    const found = await this.#inTree(async (tree) => {
      const uses = await this.#usesIn(tree, statement);
      if (uses.length === 0) return no(notUsed);
      const users = uses.map(({ user }) => user);
      const promotion = await promote(this.#lean, path.join(tree, this.#yard.project), ticket, users);
      return promotion.ok
        ? success({ promotion: promotion.value, users, tree })
        : no(promotion.error.message);
    });
    if (!found.ok) {
      const earlier = this.#replaced.get(saidIn(statement));
      return found.error.message === notUsed && earlier !== undefined
        ? tell('known', earlier, '')
        : tell('failed', ticket.suggested_name, found.error.message);
    }
    const { promotion, users, tree } = found.value;
    const lemma = promotion.kind === 'placed' ? lemmaIn(promotion, ticket, users, tree) : undefined;
    if (lemma && !(await this.#shipLemma(lemma)))
      return tell('failed', promotion.name, this.shipped.at(-1)?.message ?? '', lemma);
    await this.#useByName(statement, promotion);
    tell(promotion.kind === 'placed' ? 'promoted' : 'known', promotion.name, lemma?.file ?? '', lemma);
  }

  /** The goals' branches, each based on the last lemma it uses. */
  async shipUsers(): Promise<void> {
    const byTip = Map.groupBy(this.#tips, ([, { start }]) => start);
    for (const some of byTip.values()) {
      const names = new Set(some.map(([declaration]) => declaration));
      const [[, tip] = ['', this.#tip]] = some;
      const yard = { ...this.#yard, ...tip };
      this.shipped.push(...(await shipGoals(this.#lean, yard, this.#solved, (name) => names.has(name))));
    }
  }

  async #inTree<Value>(work: (tree: string) => Promise<Result<Value>>): Promise<Result<Value>> {
    const done = await inWorktree(this.#yard.git, this.#tip.start, async ({ folder }) => await work(folder));
    return done.ok ? done.value : done;
  }

  /** The `sorry`s of a tree whose proofs contain the helper. */
  async #usesIn(tree: string, statement: string): Promise<OpenUse[]> {
    const { declarations } = await planShipping(this.#lean.pool, tree, this.#solved);
    const uses: OpenUse[] = [];
    for (const declaration of declarations)
      for (const { goal, known } of declaration.holes) {
        const proof = known.proofs.at(-1)?.proof;
        if (proof === undefined || !goal.place) continue;
        const { preamble, place } = goal;
        const environment = environmentOfFile(place.file, readTextFile(place.file));
        const ground = new Ground(this.#lean.pool, preamble, environment);
        const helper = await helperIn(proof, statement, ground);
        if (helper === undefined) continue;
        const user = { file: place.file, at: place.start, preamble, declaration: declaration.name };
        uses.push({ user, known, proof, helper, goal, ground, declaration });
      }
    return uses;
  }

  async #shipLemma(lemma: Lemma): Promise<boolean> {
    const { git, remote } = this.#yard;
    const options = { ...this.#yard, base: this.#tip.base };
    const [shipped] = await ship(
      git,
      this.#tip.start,
      [lemmaShipment(this.#lean, this.#yard, lemma)],
      options,
    );
    if (!shipped) return false;
    this.shipped.push(shipped);
    if (shipped.result === 'conflict' || shipped.result === 'failed') return false;
    const start = await git.commitOf(`refs/remotes/${remote}/${shipped.branch}`);
    if (start === undefined) return false;
    this.#tip = { start, base: shipped.branch };
    return true;
  }

  /** Proofs that contain the helper, with the theorem in its place if Lean accepts that. */
  async #useByName(statement: string, promotion: Promotion): Promise<void> {
    const { name } = promotion;
    const direct = promotion.kind === 'known' ? promotion.proof : undefined;
    const names = promotion.kind === 'known' ? [name] : suffixesOf(name);
    const changed = new Map<GoalDetail, GoalDetail>();
    await this.#inTree(async (tree) => {
      for (const { known, proof, helper, goal, ground, declaration } of await this.#usesIn(tree, statement)) {
        for (const text of usedByName(proof, helper, names, direct)) {
          if (!(await ground.holds(goal.statement, text))) continue;
          const proofs = known.proofs.map((one, index) =>
            index === known.proofs.length - 1
              ? { ...one, proof: text, premises: [...new Set([...one.premises, name])] }
              : one,
          );
          changed.set(known, { ...known, proofs });
          this.#tips.set(declaration.name, this.#tip);
          this.#replaced.set(saidIn(helper), name);
          break;
        }
      }
      return success(undefined);
    });
    this.#solved = new Map(
      [...this.#solved].map(([file, goals]) => [file, goals.map((one) => changed.get(one) ?? one)]),
    );
  }
}

interface OpenUse {
  readonly user: User;
  readonly known: GoalDetail;
  readonly proof: string;
  /** The helper as the proof states it. */
  readonly helper: string;
  readonly goal: ProvedDeclaration['holes'][number]['goal'];
  readonly ground: Ground;
  readonly declaration: ProvedDeclaration;
}

const notUsed = 'no proved goal of the base branch uses it';

/** The fact in a proof that states the lemma, in its own words; variables may have other names. */
async function helperIn(proof: string, lemma: string, ground: Ground): Promise<string | undefined> {
  if (containsHelper(proof, lemma)) return lemma;
  const inside = statedInside(proof);
  const meant = inside.length === 0 ? undefined : await ground.read(lemma);
  for (const { statement } of meant ? inside : [])
    if ((await ground.read(statement))?.canonical === meant?.canonical) return statement;
  return undefined;
}

/** `c`, `B.c` and `A.B.c`: an open namespace makes the shorter ones work. */
const suffixesOf = (name: string): string[] =>
  name
    .split('.')
    .map((_, index, parts) => parts.slice(index).join('.'))
    .toReversed();

const no = (message: string): Failed => failed({ kind: 'promotion', message });

/** A lemma that is being moved to a branch. */
interface Lemma {
  readonly name: string;
  /** From the top of the repository. */
  readonly file: string;
  readonly after: string;
  readonly statement: string;
  readonly verdict: Verdict;
  readonly ticket: TicketRow;
  readonly users: readonly string[];
}

function lemmaIn(
  { name, file, after, statement, verdict }: PlacedLemma,
  ticket: TicketRow,
  users: readonly User[],
  tree: string,
): Lemma {
  const names = [...new Set(users.map(({ declaration }) => declaration))];
  return { name, file: path.relative(tree, file), after, statement, verdict, ticket, users: names };
}

function lemmaShipment(lean: FileLean, { git, project }: Yard, lemma: Lemma): Shipment {
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
      if (other !== undefined) return no(`it changes ${other}`);
      if (!existsSync(path.join(tree, file))) return no(`it has no ${file}`);
      const there = readTextFile(path.join(tree, file));
      const judged = await inWorktree(git, start, async ({ folder }) => {
        const texts = { before: readTextFile(path.join(folder, file)), after: there };
        const addition = await judgeAddition(lean.gate, path.join(tree, file), texts, name);
        return { addition, sorries: sorriesBelow(path.join(folder, project)) };
      });
      if (!judged.ok) return judged;
      const { addition, sorries } = judged.value;
      if (!addition.ok) return addition;
      if (!flat(there).includes(flat(lemma.statement))) return no(`its ${name} says something else`);
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
