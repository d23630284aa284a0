import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Verdict } from '../../core/verdict.ts';
import { environmentOfFile } from '../environment.ts';
import { fillFile, writeFilled, type Lean } from '../project/writer.ts';
import { readGoalsIn, saysTheSame, type ProvedDeclaration } from './plan.ts';

/** A declaration that stands in its file with a proof now, and what had to be proved below it. */
export type Placed =
  | {
      readonly ok: true;
      readonly verdict: Verdict;
      /** The gate's word on every theorem of every file that was written. */
      readonly verdicts: readonly Verdict[];
      /** Other declarations whose proofs came along, the lowest first. */
      readonly below: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

const judgeMs = 120_000;

/**
 * Puts the proofs of a declaration into a work tree that is as the base is, through the writer that judges whole files. A theorem that
 * rests on others of the run, which the base still has as `sorry`, brings their proofs along.
 */
export async function placeDeclaration(
  lean: Lean,
  tree: string,
  declaration: ProvedDeclaration,
  others: ReadonlyMap<string, ProvedDeclaration>,
): Promise<Placed> {
  return await new Placing(lean, tree, others).place(declaration);
}

class Placing {
  readonly #lean: Lean;
  readonly #tree: string;
  readonly #others: ReadonlyMap<string, ProvedDeclaration>;
  readonly #done = new Map<string, Verdict>();
  readonly #begun = new Set<string>();
  readonly #verdicts: Verdict[] = [];

  constructor(lean: Lean, tree: string, others: ReadonlyMap<string, ProvedDeclaration>) {
    this.#lean = lean;
    this.#tree = tree;
    this.#others = others;
  }

  async place(declaration: ProvedDeclaration): Promise<Placed> {
    const { name } = declaration;
    this.#begun.add(name);
    for (;;) {
      const filled = await this.#fill(declaration);
      if (typeof filled === 'string') return { ok: false, message: filled };
      const verdict = filled.verdicts.find((one) => one.name === name);
      if (filled.refused.length === 0 && verdict?.verdict === 'accepted') {
        if (!writeFilled(filled, this.#lean)) return { ok: false, message: 'its file has changed meanwhile' };
        this.#verdicts.push(...filled.verdicts);
        const below = [...this.#done.keys()];
        this.#done.set(name, verdict);
        return { ok: true, verdict, verdicts: this.#verdicts, below };
      }
      const missing = filled.refused.flatMap(({ restsOn }) => restsOn);
      const next = missing.flatMap((one) => (this.#begun.has(one) ? [] : (this.#others.get(one) ?? [])));
      const [why] = filled.refused.map((one) => one.why);
      if (next.length === 0)
        return { ok: false, message: `in its file the proof is not accepted: ${why ?? 'no verdict'}` };
      for (const one of next) {
        const placed = await this.place(one);
        if (!placed.ok) return { ok: false, message: `${one.name}, which it rests on: ${placed.message}` };
      }
    }
  }

  async #fill({
    name,
    file,
    holes,
  }: ProvedDeclaration): Promise<Awaited<ReturnType<typeof fillFile>> | string> {
    const open = await readGoalsIn(this.#lean.pool, this.#tree, file);
    if (typeof open === 'string') return open;
    const proved = open
      .filter(({ declaration }) => declaration === name)
      .flatMap(({ goal }) => {
        const hole = holes.find((one) => goal && saysTheSame(one.goal, goal));
        const proof = hole?.known.proofs.at(-1)?.proof;
        return goal && proof !== undefined ? [{ goal, proof }] : [];
      });
    if (proved.length < holes.length) return `${file} has no such sorry any more`;
    return await fillFile(path.join(this.#tree, file), proved, this.#lean);
  }
}

/**
 * A declaration that a branch claims to have proved, judged against the file that the branch began with. A branch that says something
 * else elsewhere in the file is no branch of a proof, whatever it proves.
 */
export async function judgeBranch(
  { gate }: Pick<Lean, 'gate'>,
  tree: string,
  { name, file }: ProvedDeclaration,
  before: string,
): Promise<Verdict | undefined> {
  const place = path.join(tree, file);
  const text = readFileSync(place, 'utf8');
  const environment = environmentOfFile(place, text);
  const verdicts = await gate.checkFile({ text, environment, against: before }, { deadlineMs: judgeMs });
  return (
    verdicts.find(({ kind }) => kind === 'statement-changed') ??
    verdicts.find((verdict) => verdict.name === name)
  );
}
