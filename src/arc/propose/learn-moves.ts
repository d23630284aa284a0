import { sameCells } from '../grid.ts';
import {
  actionNames,
  offsetOf,
  sides,
  slides,
  stageOf,
  vanishes,
  type Body,
  type Offset,
  type Stage,
} from '../rules/actions.ts';
import { featureColumn, objectFeatureNames } from '../rules/features/index.ts';
import type { Image } from '../rules/image.ts';
import { leavings, objectKinds, objectsOf, wayTo, type Leaving } from '../rules/moves.ts';
import { bind, type Arguments, type Operation } from '../rules/operation.ts';
import { operations } from '../rules/registry.ts';
import { Scan } from '../rules/scan.ts';
import { decide, mostAnswers, type Column, type Decision, type LearnLimits } from './decide.ts';

/** A move rule that gives every training output exactly. */
export interface MoveRule {
  readonly args: Arguments;
  readonly held: number;
  readonly cost: number;
}

const mostBodies = 60;
const mostOffsets = 12;

/**
 * Learns where objects go. Every object is a row, its features are columns, and the answers are the actions that bring it
 * to cells of its own colours in the output; the table learner of cells does the rest. A rule must then give every
 * training output exactly, for an action that is right for each object alone can still be wrong for all together.
 */
export function learnMoves(
  bases: readonly Image[],
  targets: readonly Image[],
  limits: LearnLimits,
  most: number,
): MoveRule[] {
  for (const [i, { width, height }] of targets.entries())
    if (bases[i]?.width !== width || bases[i].height !== height) return [];
  const scans = bases.map((base) => new Scan(base));
  const rules: MoveRule[] = [];
  const seen = new Set<string>();
  for (const objects of objectKinds) {
    const sets = scans.map((scan) => objectsOf(scan, objects));
    const key = sets.map(({ found }) => found.labels.join()).join('|');
    if (seen.has(key) || sets.some(({ images }) => images.length === 0 || images.length > mostBodies))
      continue;
    seen.add(key);
    const stages = sets.map((set, i) => stageOf(bases[i] as Image, set));
    const columns = objectColumns(scans, stages);
    for (const leave of leavings) {
      const trial: Trial = { bases, targets, stages, leave };
      const { answers, right } = rightActions(trial);
      const { decided } = decide(
        { columns, pairEnd: bodyEnds(stages), trainPairs: targets.length, right, answers },
        limits,
        // Some of them fail when all objects move at once.
        4 * most,
      );
      for (const decision of decided) {
        const features = decision.columns.map(({ name }) => name);
        const args = { objects, features, table: decision.table, leave };
        if (features.length > 1 && features.includes('any')) continue;
        if (fitsAll(args, bases, targets)) rules.push({ args, held: decision.held, cost: costOf(decision) });
      }
    }
  }
  return rules.sort((a, b) => b.held - a.held || a.cost - b.cost).slice(0, most);
}

/** A fixed offset says little about where the next object goes: it costs as much as three other actions. */
function costOf({ columns, table, unknownCells }: Decision): number {
  let cost = 10 + 5 * columns.length + (unknownCells > 0 ? 15 : 0);
  for (const action of Object.values(table))
    cost += action === 'stay' ? 0.25 : action.startsWith('by ') ? 9 : 3;
  return Math.round(cost);
}

interface Trial {
  readonly bases: readonly Image[];
  readonly targets: readonly Image[];
  readonly stages: readonly Stage[];
  readonly leave: Leaving;
}

function bodyEnds(stages: readonly Stage[]): number[] {
  const ends: number[] = [];
  for (const { bodies } of stages) ends.push((ends.at(-1) ?? 0) + bodies.length);
  return ends;
}

/** Features of whole objects, read at the first cell of each. */
function objectColumns(scans: readonly Scan[], stages: readonly Stage[]): Column[] {
  const columns: Column[] = [];
  const seen = new Set<string>();
  for (const name of objectFeatureNames) {
    const values = Uint8Array.from(
      stages.flatMap(({ bodies }, i) => {
        const column = featureColumn(scans[i] as Scan, name);
        return bodies.map(({ cells }) => column[cells[0] as number] as number);
      }),
    );
    const key = values.join();
    if (seen.has(key)) continue;
    seen.add(key);
    columns.push({ name, values, kinds: Math.max(...values) + 1, price: 5 });
  }
  return columns;
}

/** The actions that explain most objects, and for each training object which of them are right. */
function rightActions(trial: Trial): { answers: string[]; right: Uint32Array } {
  const { targets, stages } = trial;
  const shown = new Set(stages.flatMap(({ bodies }) => bodies.map(({ colour }) => colour)));
  const colours = [...shown].sort((a, b) => a - b);
  const stay = rightFor(trial, 'stay');
  const moving = stay.map((isRight) => !isRight);
  const tried = [...actionNames(colours), ...commonOffsets(trial, moving)].map((action) => ({
    action,
    right: action.startsWith('slide ')
      ? slidesRight(trial, action.slice('slide '.length), moving)
      : rightFor(trial, action),
  }));
  const count = (right: readonly boolean[]): number =>
    right.filter((isRight, row) => isRight && moving[row] === true).length;
  const useful = tried
    .filter(({ right }) => count(right) > 0)
    .sort((a, b) => count(b.right) - count(a.right))
    .slice(0, mostAnswers - 2);
  const rows = bodyEnds(stages)[targets.length - 1] as number;
  const right = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) {
    let mask = stay[row] === true ? 1 : 0;
    for (const [bit, one] of useful.entries()) if (one.right[row] === true) mask |= 1 << (bit + 1);
    // An object that nothing explains is dropped.
    right[row] = mask === 0 ? 1 << (useful.length + 1) : mask;
  }
  return { answers: ['stay', ...useful.map(({ action }) => action), 'drop'], right };
}

function rightFor(trial: Trial, action: string): boolean[] {
  return trial.targets.flatMap((target, pair) => {
    const stage = trial.stages[pair] as Stage;
    const base = trial.bases[pair] as Image;
    return stage.bodies.map((body, label) => {
      const offset = offsetOf(stage, label, action);
      if (offset === null && vanishes(action)) return !shows(base, target, body, [0, 0]);
      return lands(base, target, body, offset ?? [0, 0], trial.leave);
    });
  });
}

/** Whether an object, moved by an offset, shows its own colours in the output, also in what it leaves behind. */
function lands(base: Image, target: Image, body: Body, offset: Offset, leave: Leaving): boolean {
  if (!shows(base, target, body, offset)) return false;
  if (leave === 'nothing' || (offset[0] === 0 && offset[1] === 0)) return true;
  return leave === 'self'
    ? shows(base, target, body, [0, 0])
    : wayTo(offset).every((part) => shows(base, target, body, part));
}

function shows(base: Image, target: Image, body: Body, [dx, dy]: Offset): boolean {
  for (const cell of body.cells) {
    const x = (cell % base.width) + dx;
    const y = Math.floor(cell / base.width) + dy;
    if (x < 0 || y < 0 || x >= base.width || y >= base.height) return false;
    if (target.cells[y * base.width + x] !== base.cells[cell]) return false;
  }
  return true;
}

/** Objects that do not stay slide together; those that stay stand in the way. */
function slidesRight(trial: Trial, side: string, moving: readonly boolean[]): boolean[] {
  let first = 0;
  return trial.targets.flatMap((target, pair) => {
    const stage = trial.stages[pair] as Stage;
    const ways = stage.bodies.map((_, label) =>
      moving[first + label] === true ? (sides[side] as Offset) : null,
    );
    const offsets = slides(stage, ways);
    first += stage.bodies.length;
    // An object that stays could as well slide where the way is closed.
    const after = slides(
      stage,
      stage.bodies.map(() => sides[side] as Offset),
    );
    return stage.bodies.map((body, label) => {
      const offset = (ways[label] === null ? after : offsets)[label] as Offset;
      return lands(trial.bases[pair] as Image, target, body, offset, trial.leave);
    });
  });
}

/** Fixed offsets that bring the most objects to cells of their colours. */
function commonOffsets(trial: Trial, moving: readonly boolean[]): string[] {
  const counts = new Map<string, number>();
  let row = 0;
  for (const [pair, target] of trial.targets.entries()) {
    const base = trial.bases[pair] as Image;
    for (const body of (trial.stages[pair] as Stage).bodies) {
      if (moving[row++] !== true) continue;
      for (let dy = -body.top; dy <= base.height - body.height - body.top; dy++)
        for (let dx = -body.left; dx <= base.width - body.width - body.left; dx++)
          if ((dx !== 0 || dy !== 0) && shows(base, target, body, [dx, dy]))
            counts.set(`by ${dx} ${dy}`, (counts.get(`by ${dx} ${dy}`) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, mostOffsets)
    .map(([offset]) => offset);
}

function fitsAll(args: Arguments, bases: readonly Image[], targets: readonly Image[]): boolean {
  const apply = bind(operations.get('move_objects') as Operation, args);
  return targets.every((target, i) => {
    const base = bases[i] as Image;
    const result = apply(base, { input: base, frame: null }) as Image | null;
    return result !== null && sameCells(result.cells, target.cells);
  });
}
