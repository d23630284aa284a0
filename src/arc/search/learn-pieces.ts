import { definite } from '../../core/errors.ts';
import type { Image } from '../language/image.ts';
import { drawStack } from './bases.ts';
import type { Canvas } from './canvas.ts';
import {
  decide,
  fixedColours,
  rightAnswers,
  type Column,
  type Decision,
  type LearnLimits,
} from './decide.ts';
import { imageEnds, joinCells } from './learn.ts';
import type { Pieces } from './pieces.ts';

/** A table over the cells of a few pieces at the same place: masks, logic between parts, one piece where another is empty. */
export interface PieceRule extends Decision {
  /** Pieces of the canvas, in the order of the table's keys. */
  readonly pieces: readonly number[];
  readonly answerTable: Readonly<Record<string, string>>;
}

/**
 * The columns are the cheapest pieces, drawn on their frames. An answer is a fixed colour or the cell of one of these
 * pieces: the table's "@name" becomes the position of that piece in the set.
 */
export function learnPieces(
  canvas: Canvas,
  pieces: Pieces,
  frames: readonly Image[],
  targets: readonly Image[],
  { most, ...limits }: LearnLimits & { readonly columns: number; readonly most: number },
): PieceRule[] {
  const columns = [...pieceColumns(canvas, pieces, frames, limits.columns), ...maskColumns(canvas, pieces)];
  if (columns.length === 0) return [];
  const pairEnd = imageEnds(frames);
  const wanted = joinCells(targets);
  // The first piece is the default; the table may name others.
  const read = readColumns(columns, wanted);
  const answers = [`@${read[0]?.name}`, ...fixedColours, ...read.slice(1).map(({ name }) => `@${name}`)];
  const byName = new Map(columns.map(({ name, values }) => [`@${name}`, values]));
  const right = rightAnswers(wanted, answers, (answer) => definite(byName.get(answer)));
  const resultOf = (answer: string, row: number): number =>
    answer.startsWith('@') ? (definite(byName.get(answer))[row] ?? 0) : Number(answer);
  const { decided } = decide(
    { columns, pairEnd, trainPairs: targets.length, right, answers, resultOf },
    limits,
    most * 3,
  );
  // A table with one answer is no rule: it equals the piece that it reads.
  return decided
    .filter(({ table }) => new Set(Object.values(table)).size > 1)
    .map((decision) => asPieceRule(decision, canvas))
    .sort((a, b) => b.held - a.held || a.unknownCells - b.unknownCells || a.cost - b.cost)
    .slice(0, most);
}

/** The cheapest pieces, drawn on their frames. */
function pieceColumns(canvas: Canvas, pieces: Pieces, frames: readonly Image[], most: number): Column[] {
  return [...canvas.costs.keys()]
    .sort((a, b) => (canvas.costs[a] ?? 0) - (canvas.costs[b] ?? 0) || a - b)
    .slice(0, most)
    .map((piece) => ({
      name: `${piece}`,
      values: joinCells(drawStack(canvas, pieces, frames, [piece])),
      kinds: 10,
      price: piecePrice(canvas, piece),
    }));
}

/** Pieces that write no correct cell but can select cells. */
function maskColumns(canvas: Canvas, pieces: Pieces): Column[] {
  return canvas.masks.map(({ tuple, cost }, i) => ({
    name: `${-1 - i}`,
    values: joinCells(pieces.onlyImages(tuple)),
    kinds: 10,
    price: priceAt(cost),
  }));
}

const mostRead = { cheapest: 11, fullest: 10 };

/** The cheapest pieces, and those of the others that are right for the most filled cells. */
function readColumns(columns: readonly Column[], wanted: Uint8Array): Column[] {
  const cheapest = columns.slice(0, mostRead.cheapest);
  const rightOf = ({ values }: Column): number => {
    let right = 0;
    for (let i = 0; i < wanted.length; i++) if (wanted[i] !== 0 && wanted[i] === values[i]) right++;
    return right;
  };
  const fullest = columns
    .slice(mostRead.cheapest)
    .map((column) => ({ column, right: rightOf(column) }))
    .filter(({ right }) => right > 0)
    .sort((a, b) => b.right - a.right)
    .slice(0, mostRead.fullest)
    .map(({ column }) => column);
  return [...cheapest, ...fullest];
}

function piecePrice(canvas: Canvas, piece: number): number {
  return priceAt(piece < 0 ? definite(canvas.masks[-1 - piece]).cost : (canvas.costs[piece] ?? 0));
}

function priceAt(cost: number): number {
  return cost / 2 + 4;
}

/** Adds pieces that only answers read to the end of the set, as further parts of the list. */
function asPieceRule(decision: Decision, canvas: Canvas): PieceRule {
  const names = decision.columns.map(({ name }) => name);
  for (const answer of Object.values(decision.table))
    if (answer.startsWith('@') && !names.includes(answer.slice(1))) names.push(answer.slice(1));
  const read = names.slice(decision.columns.length);
  const cost = read.reduce((sum, name) => sum + piecePrice(canvas, Number(name)), decision.cost);
  const answerTable = Object.fromEntries(
    Object.entries(decision.table).map(([key, answer]) => [
      key,
      answer.startsWith('@') ? `@${names.indexOf(answer.slice(1))}` : answer,
    ]),
  );
  return { ...decision, cost, pieces: names.map(Number), answerTable };
}
