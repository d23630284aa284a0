import { definite, notNull } from '../../core/errors.ts';
import { findWalls } from '../grid/facts/panels.ts';
import { motions, sameGrid } from '../grid/grid.ts';
import { image, type Image } from '../language/image.ts';
import {
  lay,
  layouts,
  memberColumn,
  memberFeatureNames,
  memberPrice,
  type Laid,
} from '../language/members.ts';
import { bind, isList, type Arguments, type Bound } from '../language/operation.ts';
import { operations } from '../language/registry.ts';
import { offered } from '../language/vocabulary.ts';
import { decide, fixedColours, type Column, type Decision, type LearnLimits } from './decide.ts';
import { cellsPerEvaluation } from './work.ts';

/** A list for every input, training then test, with its cost. */
export interface Listed {
  readonly members: readonly (readonly Image[])[];
  readonly cost: number;
}

/** A learned choice from a list: the step on the list, and the step that follows it, if any. */
export interface MemberRule {
  /** Index of the list. */
  readonly list: number;
  readonly op: 'choose' | 'tabulate';
  readonly args: Arguments;
  readonly next: Next | null;
  readonly held: number;
  readonly cost: number;
}

/** A step that may follow on the chosen image. */
interface Next {
  readonly op: string;
  readonly args: Arguments;
}

const mostMembers = 40;
const intoPanels: Next = { op: 'into_panels', args: {} };
const follows: readonly (Next | null)[] = [
  null,
  { op: 'crop', args: {} },
  { op: 'broadcast', args: {} },
  intoPanels,
  ...motions.filter((motion) => motion !== 'identity').map((motion) => ({ op: 'move', args: { motion } })),
];

/**
 * Learns which image of a list is the output, directly or after one more step, and finds lists whose images become the cells
 * of the output. Images are the rows and their features the columns of the table learner for cells.
 */
export function learnMembers(
  lists: readonly Listed[],
  frames: readonly Image[],
  targets: readonly Image[],
  limits: LearnLimits,
  most: number,
): MemberRule[] {
  const rules: MemberRule[] = [];
  const hasPanels = frames.every((frame) => findWalls(frame) !== null);
  const whole = follows.filter((next) => next !== intoPanels || hasPanels);
  const panels = hasPanels ? panelColours(frames, targets) : null;
  for (const [list, { members, cost }] of lists.entries()) {
    if (limits.work.isOver) break;
    if (members.some(({ length }) => length < 2 || length > mostMembers)) continue;
    limits.work.spend((seenCells(members) * whole.length) / cellsPerEvaluation.tabled);
    let columns: readonly Column[] | undefined;
    const learn = (right: Uint32Array, answers: readonly string[]): readonly Decision[] => {
      columns ??= memberColumns(members);
      const pairEnd = rowEnds(members);
      return decide({ columns, pairEnd, trainPairs: targets.length, right, answers }, limits, 2).decided;
    };
    for (const one of [
      ...choices(members, frames, targets, whole, learn),
      ...tables(members, targets, null, learn),
      ...(panels === null ? [] : tables(members, panels, intoPanels, learn)),
    ])
      rules.push({ list, ...one, cost: one.cost + cost });
  }
  rules.sort((a, b) => b.held - a.held || a.cost - b.cost || a.list - b.list);
  return unlike(rules, lists, frames, targets.length).slice(0, most);
}

/** The approximate number of cells read to apply one step to a list's images. Their features are cached with the list. */
function seenCells(members: readonly (readonly Image[])[]): number {
  return members.flat().reduce((sum, member) => sum + member.cells.length, 0);
}

/** Keeps the first of the rules with equal answers: many criteria choose the same image. */
function unlike(
  rules: readonly MemberRule[],
  lists: readonly Listed[],
  frames: readonly Image[],
  trainPairs: number,
): MemberRule[] {
  const seen = new Set<string>();
  return rules.filter(({ list, op, args, next }) => {
    const apply = bind(definite(operations.get(op)), args);
    const follow = followedBy(next);
    const answers = definite(lists[list])
      .members.slice(trainPairs)
      .map((members, test) => {
        const scene = { input: definite(members[0]), frame: definite(frames[trainPairs + test]) };
        const chosen = apply(members, scene);
        const answer = chosen === null ? null : follow(chosen, scene);
        return answer === null || isList(answer) ? '-' : `${answer.width} ${answer.cells.join('')}`;
      });
    const key = answers.join('|');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function followedBy(next: Next | null): Bound {
  return next === null ? (value) => value : bind(definite(operations.get(next.op)), next.args);
}

type Learn = (right: Uint32Array, answers: readonly string[]) => readonly Decision[];

function* choices(
  members: readonly (readonly Image[])[],
  frames: readonly Image[],
  targets: readonly Image[],
  ends: readonly (Next | null)[],
  learn: Learn,
): Generator<Omit<MemberRule, 'list'>> {
  for (const next of ends) {
    const right = wantedMembers(members, frames, targets, next);
    if (right === null) continue;
    for (const decision of learn(right, ['leave', 'take']))
      if (takesOne(members, targets.length, decision))
        yield {
          op: 'choose',
          args: argumentsOf(decision),
          next,
          held: decision.held,
          cost: decision.cost + (next === null ? 0 : 10),
        };
  }
}

/** Bit 1 for a member that gives the output, bit 0 for the others; null if a pair has no such member. */
function wantedMembers(
  members: readonly (readonly Image[])[],
  frames: readonly Image[],
  targets: readonly Image[],
  next: Next | null,
): Uint32Array | null {
  const apply = followedBy(next);
  const right: number[] = [];
  for (const [pair, target] of targets.entries()) {
    const scene = { input: target, frame: definite(frames[pair]) };
    const wanted = definite(members[pair]).map((member) => {
      const result = apply(member, scene);
      return result !== null && !isList(result) && sameGrid(result, target);
    });
    if (!wanted.includes(true)) return null;
    right.push(...wanted.map((is) => (is ? 2 : 1)));
  }
  // If every image gives the output, there is nothing to choose.
  return right.every((bits) => bits === 2) ? null : Uint32Array.from(right);
}

/** Whether the rule chooses an image from the list of every test input. */
function takesOne(
  members: readonly (readonly Image[])[],
  trainPairs: number,
  { columns, table }: Decision,
): boolean {
  return members.slice(trainPairs).every((list) => {
    const asked = columns.map(({ name }) => memberColumn(list, name));
    return list.some((_, member) => table[asked.map((column) => column[member]).join(',')] === 'take');
  });
}

/** Tables whose cells become cells or blocks of the outputs, directly or before one more step. */
function* tables(
  members: readonly (readonly Image[])[],
  targets: readonly Image[],
  follow: Next | null,
  learn: Learn,
): Generator<Omit<MemberRule, 'list'>> {
  const answers = ['@main', ...fixedColours, '@rare'];
  for (const layout of layouts) {
    const wanted = targets.map((target, pair) => cellsOf(lay(definite(members[pair]), layout), target));
    if (!wanted.every((cells) => cells !== null)) continue;
    const right = wanted.flatMap(({ colours }, pair) =>
      colours.map((colour, member) => bitsOf(definite(members[pair]), member, colour, answers)),
    );
    const isWhole = wanted.every(({ exact }) => exact);
    if (follow !== null && !isWhole) continue;
    const next = isWhole ? follow : { op: 'broadcast', args: {} };
    for (const decision of learn(Uint32Array.from(right), answers))
      yield {
        op: 'tabulate',
        args: { ...argumentsOf(decision), layout },
        next,
        held: decision.held,
        cost: decision.cost + (next === null ? 0 : 10),
      };
  }
}

/** The panel colours of outputs that equal their frames with every panel in one colour; null for other outputs. */
function panelColours(frames: readonly Image[], targets: readonly Image[]): readonly Image[] | null {
  const apply = followedBy(intoPanels);
  const found: Image[] = [];
  for (const [pair, target] of targets.entries()) {
    const frame = definite(frames[pair]);
    const { panels } = notNull(findWalls(frame));
    const width = new Set(panels.map(({ left }) => left)).size;
    const cells = panels.map(({ left, top }) => target.cells[top * target.width + left] ?? 0);
    const small = image(0, 0, width, panels.length / width, Uint8Array.from(cells));
    const whole = apply(small, { input: frame, frame });
    if (whole === null || isList(whole) || !sameGrid(whole, target)) return null;
    found.push(small);
  }
  return found;
}

/** The colour of each member's cell in an output that is the small grid, with each of its cells as a cell or a block. */
function cellsOf(laid: Laid | null, target: Image): { colours: number[]; exact: boolean } | null {
  if (laid === null || target.width % laid.width !== 0 || target.height % laid.height !== 0) return null;
  const blockWidth = target.width / laid.width;
  const blockHeight = target.height / laid.height;
  const small = new Uint8Array(laid.width * laid.height);
  for (let y = 0; y < target.height; y++)
    for (let x = 0; x < target.width; x++) {
      const at = Math.floor(y / blockHeight) * laid.width + Math.floor(x / blockWidth);
      const cell = target.cells[y * target.width + x] ?? 0;
      if (x % blockWidth === 0 && y % blockHeight === 0) small[at] = cell;
      else if (small[at] !== cell) return null;
    }
  const filled = new Set(laid.cells);
  if (small.some((cell, at) => cell !== 0 && !filled.has(at))) return null;
  return {
    colours: laid.cells.map((at) => small[at] ?? 0),
    exact: blockWidth === 1 && blockHeight === 1,
  };
}

function bitsOf(list: readonly Image[], member: number, colour: number, answers: readonly string[]): number {
  let bits = 0;
  for (const [bit, answer] of answers.entries()) {
    const said = answer.startsWith('@') ? memberColumn(list, answer.slice(1))[member] : Number(answer);
    if (said === colour) bits |= 1 << bit;
  }
  return bits;
}

function argumentsOf({ columns, table }: Decision): Arguments {
  return { features: columns.map(({ name }) => name), table };
}

function memberColumns(members: readonly (readonly Image[])[]): Column[] {
  const columns: Column[] = [];
  const seen = new Set<string>();
  for (const name of offered('member feature', memberFeatureNames)) {
    const values = Uint8Array.from(members.flatMap((list) => memberColumn(list, name)));
    const key = values.join();
    if (seen.has(key) || values.every((value) => value === values[0])) continue;
    seen.add(key);
    columns.push({ name, values, kinds: Math.max(...values) + 1, price: memberPrice(name) });
  }
  return columns;
}

function rowEnds(members: readonly (readonly Image[])[]): number[] {
  const found: number[] = [];
  for (const list of members) found.push((found.at(-1) ?? 0) + list.length);
  return found;
}
