import { difficultyOf, labelOf } from '../../../core/difficulty.ts';
import { UserError } from '../../../core/errors.ts';
import { seedFrom } from '../../../core/rng.ts';
import type { DifficultyLabel } from '../../../shared/events.ts';
import type { LeanDomain } from '../../domain.ts';
import { onlyModules } from '../../project/environment.ts';
import { bareGoal, type LeanGoal } from '../../goals/goal.ts';
import type { Lease } from '../../workers/lease.ts';
import type { LeanPool } from '../../workers/pool.ts';
import { isGenerated } from '../../premises/facts.ts';
import { libraryModules, theoremsAt, type LibraryModule, type LibraryTheorem } from './theorems.ts';

/** A row in the input format of `orch run` and `orch lab record`. */
export interface CurriculumRow {
  /** MODULE/THEOREM: the lab splits its folds by module. */
  readonly id: string;
  readonly imports: readonly string[];
  readonly preamble: string;
  readonly statement: string;
  readonly label: DifficultyLabel;
  readonly difficulty: number;
}

export interface CurriculumChoice {
  readonly count: number;
  readonly seed: number;
  /** `*` matches within a part of a name, `**` any number of parts. */
  readonly modules: string;
  /** Selects among those modules; by default all of them. */
  readonly isWanted?: (module: string) => boolean;
}

export interface CurriculumParts {
  readonly pool: LeanPool;
  readonly domain: Pick<LeanDomain, 'open' | 'close'>;
  readonly tell: (text: string) => void;
}

/** Goals per module: each module is another environment, which a worker has to import. */
const mostOfModule = 8;
/** Longer statements are not useful for training. */
const longestType = 300;
const checkMs = 60_000;

interface Chosen {
  readonly module: LibraryModule;
  readonly theorems: readonly LibraryTheorem[];
}

/**
 * Goals that need no user data: theorems of Lean's own library, each in the environment where its module
 * begins, so that neither the theorem nor its consequences are available. Easy ones first; the same seed and the same
 * Lean give the same goals.
 */
export async function makeCurriculum(
  { pool, domain, tell }: CurriculumParts,
  choice: CurriculumChoice,
): Promise<CurriculumRow[]> {
  const chosen = await pool.use(async (lease) => await choose(lease, choice));
  const rows: CurriculumRow[] = [];
  for (const { module, theorems } of chosen) {
    if (rows.length >= choice.count) break;
    for (const theorem of theorems) {
      if (rows.length >= choice.count) break;
      const row = await graded(pool, domain, module, theorem);
      if (row) rows.push(row);
    }
    tell(`${rows.length} of ${choice.count}  ${module.module}`);
  }
  return rows.toSorted((one, two) => one.difficulty - two.difficulty || (one.id < two.id ? -1 : 1));
}

/**
 * Chooses more than needed, because some will be dropped: too long, not readable as Lean prints them, or mentioning
 * names of their own module.
 */
async function choose(
  lease: Lease,
  { count, seed, modules: pattern, isWanted = () => true }: CurriculumChoice,
): Promise<Chosen[]> {
  const all = await libraryModules(lease);
  const wanted = patternOf(pattern);
  const named = all.filter(({ module }) => wanted.test(module) && isWanted(module));
  const modules = named.filter(({ module }) => !/^Init(?:\.|$)/.test(module));
  if (modules.length === 0)
    throw new UserError(
      'no-modules',
      named.length > 0
        ? `${pattern} names modules of Init, which every environment imports, including the theorems themselves`
        : `no module with theorems is called ${pattern}`,
      'For example --modules "Std.Data.**".',
    );
  const most = Math.min(mostOfModule, Math.ceil(count / 3));
  const some = shuffled(modules, seed, ({ module }) => module).slice(0, Math.ceil((2 * count) / most));
  const asked = some.map(({ module, theorems }) => ({
    module,
    places: shuffled([...Array(theorems).keys()], seed, (place) => `${module} ${place}`).slice(0, 3 * most),
  }));
  const printed = Map.groupBy((await theoremsAt(lease, asked)).filter(isWorthAGoal), ({ module }) => module);
  const chosen: Chosen[] = [];
  for (const module of some) {
    const readable: LibraryTheorem[] = [];
    for (const theorem of printed.get(module.module) ?? [])
      if (readable.length < most && (await isReadBack(lease, theorem))) readable.push(theorem);
    chosen.push({ module, theorems: readable });
  }
  return chosen;
}

function isWorthAGoal({ name, type }: LibraryTheorem): boolean {
  return !isGenerated(name) && type.length <= longestType && !/[✝⋯«]|sorry/.test(type);
}

/** Whether a printed statement means the same when read again: the theorem proves it. */
async function isReadBack(lease: Lease, theorem: LibraryTheorem): Promise<boolean> {
  const loaded = await lease.session(preambleOf(theorem));
  if (!loaded.ok) return false;
  const body = { session: loaded.session, statement: statementOf(theorem), proof: `@${theorem.name}` };
  return (await lease.request('check', body, { deadlineMs: checkMs })).ok;
}

/** Undefined if the statement needs declarations of its own module, or the theorem is in the environment after all. */
async function graded(
  pool: LeanPool,
  domain: CurriculumParts['domain'],
  { module, imports }: LibraryModule,
  theorem: LibraryTheorem,
): Promise<CurriculumRow | undefined> {
  const [preamble, statement] = [preambleOf(theorem), statementOf(theorem)];
  const environment = onlyModules(imports);
  const goal: LeanGoal = {
    id: `${module}/${theorem.name}`,
    preamble,
    environment,
    statement,
    ...bareGoal,
  };
  const opened = await domain.open(goal, async () => {}, new AbortController().signal);
  if (opened.kind !== 'open') return undefined;
  const { features } = opened.facts;
  await domain.close(opened.work);
  const isThere = await pool.use(async (lease) => await isReadBack(lease, theorem), { environment });
  if (isThere) return undefined;
  const difficulty = difficultyOf(features, null);
  return {
    id: goal.id,
    imports: environment.imports,
    preamble,
    statement,
    label: labelOf(difficulty),
    difficulty: Number(difficulty.toFixed(4)),
  };
}

/** Under another name, because the gate's own Lean contains the theorem. */
function statementOf({ name, type }: LibraryTheorem): string {
  return `theorem goal_${name.replaceAll(/[^\p{L}\p{N}_']/gu, '_')} : ${type}`;
}

function preambleOf({ universes }: LibraryTheorem): string {
  return universes.length === 0 ? '' : `universe ${universes.join(' ')}\n`;
}

function patternOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*';
    return part === '*' ? '[^.]*' : part.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** Shuffles by seed and names only. */
function shuffled<Item>(items: readonly Item[], seed: number, nameOf: (item: Item) => string): Item[] {
  const keyed = items.map((item) => ({ item, key: seedFrom(seed, nameOf(item)), name: nameOf(item) }));
  keyed.sort((one, two) => one.key - two.key || (one.name < two.name ? -1 : 1));
  return keyed.map(({ item }) => item);
}
