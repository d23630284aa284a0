import { failed, success, type Result } from '../../../core/result.ts';
import type { Lease } from '../../workers/lease.ts';
import type { Failure, Message, Piece } from '../../base/protocol.ts';
import { SourceText } from '../../base/source-text.ts';
import { cutsAt } from './cut.ts';

/** A theorem of a draft with a broken proof, and where it breaks. */
export interface Patient {
  readonly name: string;
  /** The theorem as in the draft, and with a `sorry` for the part that fails. */
  readonly before: string;
  readonly after: string;
  /** The line of the draft that fails first, its step, and Lean's error. */
  readonly line: number;
  readonly step: string;
  readonly message: string;
}

/** A declaration that a `sorry` in its proof cannot repair. */
interface Incurable {
  readonly name: string;
  readonly line: number;
  readonly message: string;
}

export interface ExaminedFile {
  /** The draft with a `sorry` where each proof first goes wrong. */
  readonly text: string;
  readonly patients: readonly Patient[];
  readonly incurable: readonly Incurable[];
}

const deadlineMs = 60_000;
/** A proof with more failing cases than this is removed as a whole. */
const maxCuts = 8;

/** Finds the first failing step of every broken proof in a draft and replaces it by a hole; everything before it is kept. */
export async function examineDraft(lease: Lease, raw: string): Promise<Result<ExaminedFile, Failure>> {
  const draft = new SourceText(raw).text;
  let text = draft;
  const patients: Patient[] = [];
  const incurable: Incurable[] = [];
  for (;;) {
    const pieces = await brokenIn(lease, text);
    if (!pieces.ok) return pieces;
    const piece = pieces.value[incurable.length];
    if (!piece) return success({ text, patients, incurable });
    const found = await holed(lease, text, piece);
    const source = new SourceText(text);
    const before = source.between(piece.start, piece.end);
    const name = found?.name || nameOf(piece, before);
    const message = errorOf(piece)?.text ?? '';
    const line = lineIn(draft, before) + (errorOf(piece)?.start[0] ?? 0) - piece.start[0];
    if (!found) incurable.push({ name, line, message });
    else {
      const rest = text.length - source.between([1, 0], piece.end).length;
      const after = found.text.slice(source.between([1, 0], piece.start).length, found.text.length - rest);
      patients.push({ name, before, after, line, step: found.step, message });
      ({ text } = found);
    }
  }
}

/** The text with the longest part of one proof that Lean accepts. */
async function holed(
  lease: Lease,
  text: string,
  piece: Piece,
): Promise<{ readonly text: string; readonly step: string; readonly name: string } | undefined> {
  let current = text;
  let left: Left = { isHealed: false, piece };
  let step: string | undefined;
  for (let cuts = 0; !left.isHealed && cuts < maxCuts; cuts++) {
    const better = await firstBetter(lease, current, left.piece);
    if (!better) break;
    step ??= better.step;
    ({ text: current, left } = better);
  }
  // Lean knows the full names of declarations it can read
  if (left.isHealed && step !== undefined) return { text: current, step, name: left.piece.name };
  const whole = withoutProof(text, piece);
  const there = whole && (await whatIsLeft(lease, whole.text, piece));
  return whole && there?.isHealed ? { ...whole, name: there.piece.name } : undefined;
}

/** The declaration after a cut. */
interface Left {
  readonly isHealed: boolean;
  readonly piece: Piece;
}

/** The first cut at the error after which the next error, if any, comes later. */
async function firstBetter(
  lease: Lease,
  text: string,
  piece: Piece,
): Promise<{ readonly text: string; readonly step: string; readonly left: Left } | undefined> {
  const error = errorOf(piece);
  if (!error || isInStatement(error, piece)) return undefined;
  for (const cut of cutsAt(text, error)) {
    const left = await whatIsLeft(lease, cut.text, piece);
    if (left && (left.isHealed || comesLater(errorOf(left.piece), error))) return { ...cut, left };
  }
  return undefined;
}

/** Whether the declaration there is still broken; undefined if it is no longer the same one. */
async function whatIsLeft(lease: Lease, text: string, { start }: Piece): Promise<Left | undefined> {
  const read = await lease.request('read', { session: lease.rootSession, text }, { deadlineMs });
  if (!read.ok) return undefined;
  const here = read.pieces.find((piece) => String(piece.start) === String(start));
  if (!here) return undefined;
  if (errorOf(here)) return { isHealed: false, piece: here };
  return here.sorries.length > 0 ? { isHealed: true, piece: here } : undefined;
}

async function brokenIn(lease: Lease, text: string): Promise<Result<Piece[], Failure>> {
  const read = await lease.request('read', { session: lease.rootSession, text }, { deadlineMs });
  return read.ok ? success(read.pieces.filter((piece) => errorOf(piece) !== undefined)) : failed(read);
}

function withoutProof(text: string, { theorem, end }: Piece): { text: string; step: string } | undefined {
  if (!theorem) return undefined;
  const source = new SourceText(text);
  const step = source.between(theorem.value_start, end);
  return { text: source.replace(theorem.signature_end, end, ' := by sorry'), step };
}

function errorOf({ messages }: Piece): Message | undefined {
  return messages.find(({ severity }) => severity === 'error');
}

function isInStatement({ start: [line, column] }: Message, { theorem }: Piece): boolean {
  if (!theorem) return false;
  const [endLine, endColumn] = theorem.signature_end;
  return line < endLine || (line === endLine && column < endColumn);
}

function comesLater(later: Message | undefined, than: Message): boolean {
  if (!later) return false;
  return (
    later.start[0] > than.start[0] || (later.start[0] === than.start[0] && later.start[1] > than.start[1])
  );
}

/** Earlier cuts may have moved it. */
function lineIn(draft: string, piece: string): number {
  return draft.slice(0, Math.max(0, draft.indexOf(piece))).split('\n').length;
}

function nameOf({ name, start }: Piece, text: string): string {
  if (name !== '') return name;
  return /(?:theorem|lemma)\s+([^\s:({[⦃]+)/.exec(text)?.[1] ?? `line ${start[0]}`;
}
