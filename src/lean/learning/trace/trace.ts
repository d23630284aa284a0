import { failed, success, type Result } from '../../../core/result.ts';
import path from 'node:path';
import { environmentOfFile } from '../../project/environment.ts';
import { SourceText } from '../../base/source-text.ts';
import type { Lease } from '../../workers/lease.ts';
import type { LeanPool } from '../../workers/pool.ts';
import { Declarations, type CompiledModule } from '../../project/declarations.ts';
import type { Failure, Goal, Position } from '../../base/protocol.ts';
import { readWritten, type WrittenProof } from './written-proof.ts';
import { readTextFile } from '../../../io/text-file.ts';

/** One step of a proof, with the field names of LeanDojo. */
interface TracedTactic {
  readonly tactic: string;
  /** The step, and the premises named in it. */
  readonly annotated_tactic: readonly [string, readonly Provenance[]];
  readonly state_before: string;
  readonly state_after: string;
}

interface Provenance {
  readonly full_name: string;
  /** Where the premise is declared, if that is in the traced files or in a module that they import. */
  readonly def_path: string | null;
  readonly def_pos: Position | null;
  readonly def_end_pos: Position | null;
}

export interface TracedTheorem {
  readonly file_path: string;
  readonly full_name: string;
  readonly start: Position;
  readonly end: Position;
  readonly theorem_statement: string;
  readonly proof: string;
  readonly traced_tactics: readonly TracedTactic[];
  /** Every constant that its proof mentions. */
  readonly premises: readonly string[];
  /** Why the trace of its steps is incomplete; null if it is complete. */
  readonly reason: string | null;
}

/** A theorem of a file, as a premise of others. */
interface Premise {
  readonly full_name: string;
  readonly code: string;
  readonly start: Position;
  readonly end: Position;
  readonly kind: 'theorem';
}

/** A file with known theorems whose proofs are not traced yet. */
export interface ReadFile {
  readonly file: string;
  readonly source: SourceText;
  readonly imports: readonly string[];
  readonly premises: readonly Premise[];
  /** The modules it depends on, without Lean's own library. */
  readonly modules: readonly CompiledModule[];
}

const limits = { deadlineMs: 120_000 };

/** The theorems of a file, or why Lean cannot read it. */
export async function readTheorems(pool: LeanPool, file: string): Promise<Result<ReadFile, Failure>> {
  const source = new SourceText(readTextFile(file));
  const environment = environmentOfFile(file, source.raw);
  const loaded = await pool.use(
    async (lease) => {
      const body = { session: lease.rootSession, text: source.text, keep_going: true };
      const reply = await lease.request('load', body, limits);
      if (reply.ok) await lease.request('unload', { sessions: [reply.session] });
      return reply;
    },
    { environment },
  );
  if (!loaded.ok) return failed(loaded);
  const premises = loaded.theorems.map(({ name, start, end }) => ({
    full_name: name,
    code: source.between(start, end),
    start,
    end,
    kind: 'theorem' as const,
  }));
  const opened = await pool.environments.open(environment);
  const modules = opened.ok ? opened.value.modules : [];
  return success({ file, source, imports: environment.imports, premises, modules });
}

/** Returns where a constant is declared, if known. */
export type Provenances = (name: string) => Provenance | undefined;

/** Where the theorems of these files and the declarations of the modules below them are declared. */
export function provenancesOf(files: readonly ReadFile[]): Provenances {
  const known = new Map<string, Provenance>();
  const below = new Declarations();
  for (const { file, premises, modules } of files) {
    below.add(modules);
    for (const { full_name, start, end } of premises)
      known.set(full_name, { full_name, def_path: file, def_pos: start, def_end_pos: end });
  }
  return (name) => {
    const own = known.get(name);
    const place = below.find(name);
    if (own || !place) return own;
    const { file, start, end } = place;
    return { full_name: name, def_path: path.relative('.', file), def_pos: start, def_end_pos: end };
  };
}

/** Traces the proofs of a file step by step; `known` returns where premises are declared. */
export async function traceFile(
  pool: LeanPool,
  { file, source, premises }: ReadFile,
  known: Provenances,
): Promise<TracedTheorem[]> {
  const environment = environmentOfFile(file, source.raw);
  return await pool.use(
    async (lease) => {
      lease.expect(premises.map(({ start }) => source.before(start, [])));
      const traced: TracedTheorem[] = [];
      for (const premise of premises) {
        const written = readWritten(premise.code);
        const followed = written
          ? await follow(lease, source.before(premise.start, []), written, known)
          : { ...nothing, reason: 'it is proved by equations' };
        traced.push({
          file_path: file,
          full_name: premise.full_name,
          start: premise.start,
          end: premise.end,
          theorem_statement: written?.statement ?? premise.code,
          proof: written?.proof ?? '',
          ...followed,
        });
      }
      return traced;
    },
    { environment },
  );
}

type Followed = Pick<TracedTheorem, 'traced_tactics' | 'premises' | 'reason'>;
const nothing = { traced_tactics: [], premises: [] };

async function follow(
  lease: Lease,
  preamble: string,
  { statement, proof, tactics }: WrittenProof,
  known: Provenances,
): Promise<Followed> {
  const loaded = await lease.session(preamble, limits);
  if (!loaded.ok) return { ...nothing, reason: `the text before the theorem: ${loaded.message}` };
  const { session } = loaded;
  const checked = await lease.request('check', { session, statement, proof, constants: true }, limits);
  if (!checked.ok) return { ...nothing, reason: checked.message };
  const { constants } = checked;
  const started = await lease.request('start', { session, statement }, limits);
  if (!started.ok) return { ...nothing, premises: constants, reason: started.message };
  const traced: TracedTactic[] = [];
  const states = [started.state];
  let before = started;
  let reason: string | null = null;
  for (const tactic of tactics) {
    const after = await lease.request('step', { state: before.state, tactic }, limits);
    if (!after.ok) {
      reason = `step ${traced.length + 1} is not complete on its own: ${after.message}`;
      break;
    }
    traced.push({
      tactic,
      annotated_tactic: [tactic, namedIn(tactic, constants, known)],
      state_before: describe(before.goals),
      state_after: describe(after.goals),
    });
    states.push(after.state);
    before = after;
  }
  await lease.request('drop', { states });
  return { traced_tactics: traced, premises: constants, reason };
}

/** The goals of a proof, as Lean prints them. */
function describe(goals: readonly Goal[]): string {
  if (goals.length === 0) return 'no goals';
  const texts = goals.map(({ case: name, hypotheses, target }) => {
    const context = hypotheses.map(
      (one) => `${one.name} : ${one.type}${one.value === undefined ? '' : ` := ${one.value}`}`,
    );
    return [...(name ? [`case ${name}`] : []), ...context, `⊢ ${target}`].join('\n');
  });
  return texts.join('\n\n');
}

/** The premises that a step names, in full or by the last parts of their names. */
function namedIn(tactic: string, constants: readonly string[], known: Provenances): Provenance[] {
  const words = new Set(tactic.match(/[\p{L}_][\p{L}\p{N}_'.!?₀-₉]*/gu) ?? []);
  const isNamed = (name: string): boolean =>
    [...words].some((word) => name === word || name.endsWith(`.${word}`));
  return constants
    .filter(isNamed)
    .map((name) => known(name) ?? { full_name: name, def_path: null, def_pos: null, def_end_pos: null });
}
