import type { KernelName } from './name.ts';
import { decline } from './outcome.ts';

/**
 * Universe levels: zero, successor, max, imax and parameters, one object per level.
 *
 * Comparison goes through a normal form. A level is a function from valuations of its parameters to numbers, and every level is
 * the maximum of conditional terms: "if all parameters in `when` are positive, `base + offset`, otherwise 0", where `base` is a parameter
 * out of `when` or nothing. Conditional terms are monotone, so `a ≤ b` is decided by looking at each term of `a` where it is least:
 * the parameters of its condition at 1 and all others at 0. The normal form can be exponential in `imax`; past a limit the kernel declines.
 */
export interface Level {
  readonly id: number;
  readonly kind: 'zero' | 'succ' | 'max' | 'imax' | 'param';
  readonly left: Level | null;
  readonly right: Level | null;
  readonly param: KernelName | null;
  readonly hasParam: boolean;
  readonly depth: number;
  normal: Term[] | null;
}

/** A list of levels, one object per list. */
export interface Levels {
  readonly id: number;
  readonly items: readonly Level[];
  readonly hasParam: boolean;
}

interface Term {
  /** ids of the parameters that must be positive, in ascending order */
  readonly when: readonly number[];
  /** id of the added parameter, or -1 */
  readonly base: number;
  readonly offset: number;
}

const MAX_DEPTH = 2000;
const MAX_TERMS = 500;
const MAX_PRODUCT = 20_000;

export class LevelTable {
  readonly zero: Level;
  readonly one: Level;
  readonly none: Levels;
  private readonly known = new Map<string, Level>();
  private readonly lists = new Map<string, Levels>();
  private count = 0;

  constructor() {
    this.zero = this.make('zero', null, null, null);
    this.one = this.succ(this.zero);
    this.none = this.list([]);
  }

  private make(
    kind: Level['kind'],
    left: Level | null,
    right: Level | null,
    param: KernelName | null,
  ): Level {
    const key = `${kind} ${left?.id ?? ''} ${right?.id ?? ''} ${param?.id ?? ''}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const level: Level = {
      id: this.count++,
      kind,
      left,
      right,
      param,
      hasParam: param !== null || (left?.hasParam ?? false) || (right?.hasParam ?? false),
      depth: 1 + Math.max(left?.depth ?? 0, right?.depth ?? 0),
      normal: null,
    };
    if (level.depth > MAX_DEPTH) decline('a universe level is nested too deeply');
    this.known.set(key, level);
    return level;
  }

  succ(level: Level): Level {
    return this.make('succ', level, null, null);
  }
  max(left: Level, right: Level): Level {
    return this.make('max', left, right, null);
  }
  imax(left: Level, right: Level): Level {
    return this.make('imax', left, right, null);
  }
  param(name: KernelName): Level {
    return this.make('param', null, null, name);
  }

  list(items: readonly Level[]): Levels {
    const key = items.map((level) => level.id).join(' ');
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    const list: Levels = { id: this.lists.size, items, hasParam: items.some((level) => level.hasParam) };
    this.lists.set(key, list);
    return list;
  }

  /** Replaces parameters; those without a value stay. Deep levels can share parts, so results are memoised. */
  instantiate(
    level: Level,
    values: ReadonlyMap<KernelName, Level>,
    done: Map<Level, Level> | null = level.depth > 6 ? new Map() : null,
  ): Level {
    if (!level.hasParam) return level;
    const { left, right, param } = level;
    if (param !== null) return values.get(param) ?? level;
    const known = done?.get(level);
    if (known !== undefined) return known;
    const newLeft = left === null ? null : this.instantiate(left, values, done);
    const newRight = right === null ? null : this.instantiate(right, values, done);
    const result =
      newLeft === left && newRight === right ? level : this.make(level.kind, newLeft, newRight, null);
    done?.set(level, result);
    return result;
  }

  instantiateList(list: Levels, values: ReadonlyMap<KernelName, Level>): Levels {
    return list.hasParam ? this.list(list.items.map((level) => this.instantiate(level, values))) : list;
  }
}

const constant = (offset: number): Term => ({ when: [], base: -1, offset });

function isSubset(a: readonly number[], b: readonly number[]): boolean {
  let i = 0;
  for (const x of b) if (i < a.length && a[i] === x) i++;
  return i === a.length;
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

/** Whether `a` is at most `b` for every valuation, by a sufficient condition for pruning. */
function isBelow(a: Term, b: Term): boolean {
  if (!isSubset(b.when, a.when)) return false;
  if (a.base === b.base) return a.offset <= b.offset;
  // a positive parameter is at least 1
  return a.base === -1 && a.offset <= b.offset + 1;
}

function prune(terms: Term[]): Term[] {
  const kept: Term[] = [];
  for (const term of terms) {
    if (kept.some((other) => isBelow(term, other))) continue;
    const rest = kept.filter((other) => !isBelow(other, term));
    kept.length = 0;
    kept.push(...rest, term);
    if (kept.length > MAX_TERMS) decline('a universe level has too many cases');
  }
  return kept;
}

function normalise(level: Level): Term[] {
  if (level.normal !== null) return level.normal;
  const left = level.left === null ? [] : normalise(level.left);
  const right = level.right === null ? [] : normalise(level.right);
  let terms: Term[];
  switch (level.kind) {
    case 'zero':
      terms = [];
      break;
    case 'param': {
      const id = level.param?.id ?? -1;
      terms = [{ when: [id], base: id, offset: 0 }];
      break;
    }
    case 'succ':
      terms = prune([constant(1), ...left.map((term) => ({ ...term, offset: term.offset + 1 }))]);
      break;
    case 'max':
      terms = prune([...left, ...right]);
      break;
    case 'imax':
      if (left.length * right.length > MAX_PRODUCT) decline('a universe level has too many cases');
      // a term on the right is positive if and only if its condition holds
      terms = prune([
        ...right,
        ...right.flatMap((guard) => left.map((term) => ({ ...term, when: union(term.when, guard.when) }))),
      ]);
      break;
  }
  level.normal = terms;
  return terms;
}

/** Whether `term ≤ max(bounds)` for every valuation. */
function termAtMost(term: Term, bounds: readonly Term[]): boolean {
  const active = bounds.filter((bound) => isSubset(bound.when, term.when));
  if (term.base !== -1)
    return active.some((bound) => bound.base === term.base && bound.offset >= term.offset);
  return active.some((bound) => (bound.base === -1 ? 0 : 1) + bound.offset >= term.offset);
}

export function levelAtMost(a: Level, b: Level): boolean {
  if (a === b) return true;
  const bounds = normalise(b);
  return normalise(a).every((term) => termAtMost(term, bounds));
}

export function levelsEqual(a: Level, b: Level): boolean {
  return a === b || (levelAtMost(a, b) && levelAtMost(b, a));
}

export function levelListsEqual(a: Levels, b: Levels): boolean {
  return (
    a === b ||
    (a.items.length === b.items.length &&
      a.items.every((level, i) => levelsEqual(level, b.items[i] ?? level)))
  );
}

/** Whether it is 0 for every valuation. */
export function isZero(level: Level): boolean {
  return normalise(level).length === 0;
}

/** Whether it is positive for every valuation. */
export function isPositive(level: Level): boolean {
  return normalise(level).some((term) => term.when.length === 0);
}

/** Whether it uses only these parameters. */
export function usesOnly(level: Level, params: ReadonlySet<KernelName>, seen: Set<Level>): boolean {
  if (!level.hasParam || seen.has(level)) return true;
  seen.add(level);
  if (level.param !== null) return params.has(level.param);
  return (
    (level.left === null || usesOnly(level.left, params, seen)) &&
    (level.right === null || usesOnly(level.right, params, seen))
  );
}
