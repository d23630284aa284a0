import { cacheArm } from './arms.ts';
import {
  isTrusted,
  rateOf,
  type KnownScript,
  type ScriptCache,
  type ScriptVersion,
} from '../../store/scripts/script-cache.ts';
import type { RunEvent } from '../../shared/events.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { likeness, lookAt, type GoalLook } from './look.ts';
import { fillIn, filledTemplate, templateOf } from './template.ts';

/** A script to try on a goal, and the known script it came from. */
export interface Offer {
  readonly script: string;
  readonly id: string;
}

export interface Offers {
  /** From the same goal, or from one that differs only in names and in the order of hypotheses. */
  readonly same: readonly Offer[];
  /** From goals with similar symbols. */
  readonly similar: readonly Offer[];
}

const mostSame = 3;
const mostSimilar = 4;
/** Goals that share less than this are not similar. */
const alikeEnough = 0.45;
/** A script of another project counts half: the names it uses may not exist here. */
const otherProject = 0.5;
const maxLength = 2000;

interface Seen {
  readonly look: GoalLook;
  readonly goalHash: string;
  readonly project: string;
}

/**
 * Offers scripts of earlier goals and learns from new proofs. It listens to the run and stores every accepted proof, as found (good for similar goals) and as polished (good for the same goal).
 */
export class ScriptMemory {
  readonly #cache: ScriptCache;
  readonly #version: Pick<ScriptVersion, 'lean' | 'mathlib'>;
  readonly #known = new Map<string, KnownScript>();
  readonly #byShape = new Map<string, Set<string>>();
  readonly #seen = new Map<string, Seen>();

  constructor(cache: ScriptCache, version: Pick<ScriptVersion, 'lean' | 'mathlib'>) {
    this.#cache = cache;
    this.#version = version;
    for (const script of cache.usable(version)) this.#keep(script);
  }

  offers(workbench: Workbench): Offers {
    const seen = this.#look(workbench);
    if (!seen) return { same: [], similar: [] };
    const { look, goalHash, project } = seen;
    const ids = [...(this.#byShape.get(look.shape) ?? [])];
    const same = ids
      .flatMap((id) => this.#known.get(id) ?? [])
      .sort((one, two) => ranked(two, goalHash) - ranked(one, goalHash));
    const isSame = new Set(ids);
    const similar = [...this.#known.values()]
      .filter(({ id }) => !isSame.has(id))
      .map((script) => ({ script, score: this.#score(script, look, project) }))
      .filter(({ score }) => score > 0)
      .sort((one, two) => two.score - one.score || (one.script.id < two.script.id ? -1 : 1))
      .map(({ script }) => script);
    const first = filled(same, look, mostSame, new Set());
    return {
      same: first,
      similar: filled(similar, look, mostSimilar, new Set(first.map(({ script }) => script))),
    };
  }

  /** Records that a script was run on a goal, for later choices. */
  used({ id }: Offer, held: boolean, seconds: number): void {
    const known = this.#known.get(id);
    if (!known) return;
    this.#cache.used(id, held, seconds);
    this.#known.set(id, {
      ...known,
      uses: known.uses + 1,
      successes: known.successes + Number(held),
      seconds: known.seconds + seconds,
    });
  }

  /** Listener for the bus of a run. */
  readonly listen = (event: RunEvent): void => {
    if (event.type === 'attempt-finished' && event.outcome === 'solved' && event.strategy !== 'cache')
      this.#learn(event.goal, event.tactics.join('\n'), event.cpu_seconds);
    if (event.type !== 'goal-closed') return;
    const script = event.solved && event.proof !== null ? filledTemplate(event.proof) : undefined;
    if (script !== undefined && event.arm !== cacheArm('same')) this.#learn(event.goal, script, 0);
    this.#seen.delete(event.goal);
  };

  #look(workbench: Workbench): Seen | undefined {
    const { goal, goalHash } = workbench;
    const known = this.#seen.get(goal.id);
    if (known) return known;
    const look = lookAt(workbench);
    if (!look) return undefined;
    const seen = { look, goalHash, project: workbench.closure };
    this.#seen.set(goal.id, seen);
    return seen;
  }

  #learn(goal: string, script: string, seconds: number): void {
    const seen = this.#seen.get(goal);
    if (!seen || script === '' || script.length > maxLength) return;
    const { look, goalHash, project } = seen;
    const { shape, tokens } = look;
    const template = templateOf(script, look);
    this.#keep(this.#cache.learn({ ...this.#version, project, shape, goalHash, template, tokens, seconds }));
  }

  #keep(script: KnownScript): void {
    const known = this.#known.get(script.id);
    const more = known && { uses: known.uses + 1, successes: known.successes + 1 };
    this.#known.set(script.id, { ...script, ...more });
    const ids = this.#byShape.get(script.shape) ?? new Set();
    this.#byShape.set(script.shape, ids.add(script.id));
  }

  #score(script: KnownScript, look: GoalLook, project: string): number {
    const alike = likeness(script.tokens, look.tokens);
    if (alike < alikeEnough) return 0;
    return alike ** 2 * rateOf(script) * (script.project === project ? 1 : otherProject);
  }
}

/** Scripts of the same goal that mostly work come first, then those that work most often. */
function ranked(script: KnownScript, goalHash: string): number {
  return (script.goalHash === goalHash && isTrusted(script) ? 1 : 0) + rateOf(script);
}

/** Those with a name for every hole, without duplicates. */
function filled(
  scripts: readonly KnownScript[],
  look: GoalLook,
  most: number,
  known: ReadonlySet<string>,
): Offer[] {
  const offers = new Map<string, Offer>();
  for (const { id, template } of scripts) {
    const script = fillIn(template, look);
    if (script !== undefined && !known.has(script) && !offers.has(script)) offers.set(script, { script, id });
    if (offers.size === most) break;
  }
  return [...offers.values()];
}
