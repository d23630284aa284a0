import path from 'node:path';
import { success, type Result } from '../../core/result.ts';
import { readTextFile } from '../../io/text-file.ts';
import { writeWhole } from '../../io/whole-file.ts';
import type { Promoted } from '../../shared/api.ts';
import type { GoalDetail, TicketRow } from '../../shared/ledger.ts';
import { theoremOf } from '../market/lemma.ts';
import { environmentOfFile } from '../project/environment.ts';
import { planShipping, type ProvedDeclaration } from '../ship/plan.ts';
import { ship, type Shipped } from '../ship/ship.ts';
import { shipGoals, type Yard } from '../ship/shipments.ts';
import { branchOf } from '../ship/texts.ts';
import { inWorktree } from '../ship/worktree.ts';
import type { FileLean } from '../writing/writer.ts';
import { containsHelper, saidIn, usedByName } from './by-name.ts';
import { Ground } from './ground.ts';
import { lemmaIn, lemmaShipment, type Lemma } from './lemma-shipment.ts';
import { notPromoted, promote, type PlacedLemma, type Promotion, type User } from './promote.ts';
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
      if (uses.length === 0) return notPromoted(notUsed);
      const users = uses.map(({ user }) => user);
      const planned = await promote(this.#lean, path.join(tree, this.#yard.project), ticket, users);
      if (!planned.ok) return notPromoted(planned.error.message);
      const promotion = planned.value;
      if (promotion.kind === 'placed') this.#write(promotion);
      const renamed = await this.#byName(tree, statement, promotion);
      return promotion.kind === 'placed' && renamed.length === 0
        ? notPromoted(`no proof accepts ${promotion.name} in its place`)
        : success({ promotion, users, tree, renamed });
    });
    if (!found.ok) {
      const earlier = this.#replaced.get(saidIn(statement));
      return found.error.message === notUsed && earlier !== undefined
        ? tell('known', earlier, '')
        : tell('failed', ticket.suggested_name, found.error.message);
    }
    const { promotion, users, tree, renamed } = found.value;
    const lemma = promotion.kind === 'placed' ? lemmaIn(promotion, ticket, users, tree) : undefined;
    if (lemma && !(await this.#shipLemma(lemma)))
      return tell('failed', promotion.name, this.shipped.at(-1)?.message ?? '', lemma);
    this.#take(renamed, promotion.name);
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
    // a file without a fact inside any of its proofs need not be read
    const files = [...this.#solved].filter(([, goals]) =>
      goals.some(({ proofs }) => statesSomething(proofs.at(-1)?.proof ?? '', statement)),
    );
    const { declarations } = await planShipping(this.#lean.pool, tree, new Map(files));
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

  #write({ file, after }: Pick<PlacedLemma, 'file' | 'after'>): void {
    writeWhole(file, after);
    this.#lean.pool.environments.forget();
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

  /** Proofs with the theorem in the helper's place, where Lean accepts that. */
  async #byName(tree: string, statement: string, promotion: Promotion): Promise<Renamed[]> {
    const { name } = promotion;
    const direct = promotion.kind === 'known' ? promotion.proof : undefined;
    const names = promotion.kind === 'known' ? [name] : suffixesOf(name);
    const found: Renamed[] = [];
    for (const { known, proof, helper, goal, ground, declaration } of await this.#usesIn(tree, statement)) {
      for (const text of usedByName(proof, helper, names, direct)) {
        if (!(await ground.holds(goal.statement, text))) continue;
        const proofs = known.proofs.map((one, index) =>
          index === known.proofs.length - 1
            ? { ...one, proof: text, premises: [...new Set([...one.premises, name])] }
            : one,
        );
        found.push({ known, better: { ...known, proofs }, helper, declaration: declaration.name });
        break;
      }
    }
    return found;
  }

  /** On top of the theorem's branch. */
  #take(renamed: readonly Renamed[], name: string): void {
    const better = new Map(renamed.map((one) => [one.known, one.better]));
    for (const { declaration, helper } of renamed) {
      this.#tips.set(declaration, this.#tip);
      this.#replaced.set(saidIn(helper), name);
    }
    this.#solved = new Map(
      [...this.#solved].map(([file, goals]) => [file, goals.map((one) => better.get(one) ?? one)]),
    );
  }
}

/** A proof that uses a theorem by its name. */
interface Renamed {
  readonly known: GoalDetail;
  readonly better: GoalDetail;
  /** What the proof stated itself. */
  readonly helper: string;
  readonly declaration: string;
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

const statesSomething = (proof: string, lemma: string): boolean =>
  containsHelper(proof, lemma) || statedInside(proof).length > 0;

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
