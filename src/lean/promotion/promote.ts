import path from 'node:path';
import { countsAsSolved } from '../../shared/assurance.ts';
import type { TicketRow } from '../../shared/ledger.ts';
import { failed, success, type Failed, type Result } from '../../core/result.ts';
import { readTextFile } from '../../io/text-file.ts';
import { readConstraints } from '../gate/constraints.ts';
import { theoremOf } from '../market/lemma.ts';
import { SourceText } from '../base/source-text.ts';
import type { Gate, JudgedFile } from '../gate/gate.ts';
import type { Verdict } from '../gate/verdict.ts';
import { judgeMs } from '../goals/limits.ts';
import { environmentOfFile } from '../project/environment.ts';
import { findProject } from '../project/project.ts';
import { binderText, readSignature, signatureText, type Signature } from '../base/signature.ts';
import type { FileLean } from '../writing/writer.ts';
import { classParents, generalised, withBinders } from './generalise.ts';
import { Ground } from './ground.ts';
import { knownTheorem } from './known.ts';
import { freeName } from './name.ts';
import { slotsFor, type LemmaSlot, type Use } from './slots.ts';

/** A requester of the lemma: the declaration, and the position of its proof in the work tree. */
export interface User extends Use {
  readonly declaration: string;
  /** The text before the declaration. */
  readonly preamble: string;
}

export type Promotion =
  /** An existing theorem of the library or project. */
  | { readonly kind: 'known'; readonly name: string; readonly proof: string }
  | ({ readonly kind: 'placed' } & PlacedLemma);

export interface PlacedLemma {
  /** With its namespaces. */
  readonly name: string;
  readonly file: string;
  /** The file with the lemma. */
  readonly after: string;
  readonly statement: string;
  readonly verdict: Verdict;
}

/** Plans a finished ticket as a theorem of the project in a work tree. Writes nothing. */
export async function promote(
  lean: FileLean,
  tree: string,
  ticket: TicketRow,
  users: readonly User[],
): Promise<Result<Promotion>> {
  const statement = theoremOf(ticket);
  const signature = readSignature(statement);
  const [first] = users;
  if (!signature || !first || ticket.completed_proof === null)
    return notPromoted(`${ticket.ticket_id} is not a finished lemma that a goal uses`);
  const environment = environmentOfFile(first.file, readTextFile(first.file));
  const own = new Ground(lean.pool, first.preamble, environment);
  if (!(await own.holds(statement, ticket.completed_proof)))
    return notPromoted(`its proof does not hold in ${path.relative(tree, first.file)}`);
  const known = await knownTheorem(own, statement);
  if (known) return success({ kind: 'known', ...known });
  const texts = projectTexts(tree);
  const stated = await withBinders(own, { signature, proof: ticket.completed_proof });
  const general = await generalised(own, stated.signature, stated.proof, classParents(texts));
  return await place(lean, { ticket, users, texts, own, general, proof: stated.proof });
}

interface Placing {
  readonly ticket: TicketRow;
  readonly users: readonly User[];
  readonly texts: readonly string[];
  readonly own: Ground;
  readonly general: Signature;
  readonly proof: string;
}

async function place(lean: FileLean, placing: Placing): Promise<Result<Promotion>> {
  const { ticket, users, texts, own, general, proof } = placing;
  const meant = await own.read(signatureText(general));
  let why = 'no file that its users import can contain it';
  for await (const slot of slotsFor(lean.pool, users)) {
    const name = await freeName(
      slot.ground,
      { suggested: ticket.suggested_name, statement: signatureText(general) },
      texts,
    );
    if (name === undefined) return notPromoted('all candidate names are already in use');
    const statement = signatureText({ ...general, name });
    const here = await slot.ground.read(statement);
    // the same text has another meaning here, or none
    if (!here || here.canonical !== meant?.canonical || !(await slot.ground.holds(statement, proof)))
      continue;
    for (const isSimp of readConstraints(ticket.constraints).simp ? [true, false] : [false]) {
      const lemma = textOf({ ...general, name }, proof, users, isSimp, visibility(slot.source.text));
      const found = await judged(lean, slot, { name: here.name, statement, proof }, lemma);
      if (found.ok) return success({ kind: 'placed', statement, ...found.value });
      why = found.error.message;
    }
  }
  return notPromoted(why);
}

export const notPromoted = (message: string): Failed => failed({ kind: 'promotion', message });

/** The gate's verdict on the lemma, on the file that contains it, and on files that import that file. */
async function judged(
  { gate, pool }: FileLean,
  slot: LemmaSlot,
  lemma: { readonly name: string; readonly statement: string; readonly proof: string },
  text: string,
): Promise<Result<Omit<PlacedLemma, 'statement'>>> {
  const { file, source, at, isBefore, ground } = slot;
  const { preamble, environment } = ground;
  const { statement, proof, name } = lemma;
  const verdict = await gate.check(
    { preamble, environment, statement, proof, secondKernel: 'final' },
    { deadlineMs: judgeMs },
  );
  if (!countsAsSolved(verdict)) return notPromoted(verdict.message);
  const after = source.replace(at, at, isBefore ? `${text}\n\n` : `\n\n${text}`);
  const whole = await judgeAddition(gate, file, { before: source.raw, after }, name, slot.errors);
  if (!whole.ok) return whole;
  const [breaks] = await pool.environments.brokenBy(new Map([[file, after]]));
  return breaks === undefined
    ? success({ name, file, after, verdict })
    : notPromoted(`it would break ${breaks}`);
}

/**
 * Whether a file only gained one theorem: all statements are unchanged, no code was added, and the gate accepts the theorem in
 * the whole file.
 */
export async function judgeAddition(
  gate: Pick<Gate, 'judgeFile'>,
  file: string,
  { before, after }: { readonly before: string; readonly after: string },
  name: string,
  errors = 0,
): Promise<Result<Verdict>> {
  const environment = environmentOfFile(file, after);
  const text = new SourceText(after).text;
  const against = new SourceText(before).text;
  const all = await gate.judgeFile(
    { text, environment, against, againstIn: environment, secondKernel: 'final' },
    { deadlineMs: judgeMs },
  );
  const verdict = all.verdicts.find((one) => one.name === name);
  if (verdict?.verdict !== 'accepted')
    return notPromoted(verdict?.message ?? `the gate did not judge ${name}`);
  const bad = all.verdicts.find(({ kind }) => kind === 'statement-changed' || kind === 'inseparable');
  if (bad) return notPromoted(`${bad.name ?? file}: ${bad.message}`);
  if (all.messages.filter(({ severity }) => severity === 'error').length > errors)
    return notPromoted(`${path.basename(file)} has an error that it did not have before`);
  if (all.addsCode) return notPromoted('it runs its own code');
  return isOneTheoremMore(all, text, against, name)
    ? success(verdict)
    : notPromoted('more than one theorem is new');
}

function isOneTheoremMore({ declared }: JudgedFile, text: string, against: string, name: string): boolean {
  const known = new Set(declared.there.flatMap(({ constants }) => constants));
  // an example is judged under a name of its own
  const fresh = declared.here.filter(
    ({ word, constants }) => word !== 'example' && constants.some((one) => !known.has(one)),
  );
  const [added] = fresh;
  if (!added || fresh.length > 1 || added.word !== 'theorem' || !added.constants.includes(name)) return false;
  const source = new SourceText(text);
  const rest = source.between([1, 0], added.start) + source.between(added.end, [Infinity, 0]);
  return flat(rest) === flat(against);
}

const flat = (text: string): string => text.replaceAll(/\s+/g, '');

/** The text for the file: with a doc comment, and lines that fit. */
function textOf(
  signature: Signature,
  proof: string,
  users: readonly User[],
  isSimp: boolean,
  isPublic: boolean,
): string {
  const { name, universes, binders, type } = signature;
  const head = `${isSimp ? '@[simp] ' : ''}${isPublic ? 'public ' : ''}theorem ${name}${universes}`;
  const line = [head, ...binders.map(binderText), ':', type, ':='].join(' ');
  const stated =
    line.length <= 95
      ? line
      : [...filled([head, ...binders.map(binderText), ':']), `${type.replaceAll('\n', '\n    ')} :=`].join(
          '\n    ',
        );
  const purpose = purposeOf(users).replaceAll('-/', '');
  return `${filled(['/--', ...purpose.split(' '), '-/']).join('\n')}\n${stated} ${proof.trimEnd()}`;
}

const mostNamed = 4;

function purposeOf(users: readonly User[]): string {
  const all = [...new Set(users.map(({ declaration }) => declaration))].map((name) => `\`${name}\``);
  const rest = all.length - mostNamed;
  const names = rest > 1 ? [...all.slice(0, mostNamed), `${rest} others`] : all;
  const last = names.at(-1) ?? '';
  if (names.length < 2) return `Used in the proof of ${last}.`;
  return `Used in the proofs of ${names.slice(0, -1).join(', ')} and ${last}.`;
}

/** Lines of at most 96 columns; a part that is longer stays whole. */
function filled(parts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const joined = `${lines.at(-1) ?? ''} ${part}`;
    if (lines.length > 0 && joined.length <= 96) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines;
}

/** In a module without a public section, only marked declarations are visible. */
function visibility(text: string): boolean {
  return /^\s*module\b/m.test(text) && !/\bpublic\s+(?:meta\s+)?section\b/.test(text);
}

function projectTexts(tree: string): string[] {
  return findProject(tree)
    .own()
    .map(({ file }) => readTextFile(file));
}
