import type { Lean } from './lean.ts';
import type { Settings } from '../config/schema.ts';
import { type Game, golf } from '../lean/improve/golf/golf.ts';
import { wholeStatement, type Proved } from '../lean/goals/goal.ts';
import { isShorter, lengthOf, type Length } from '../lean/improve/golf/score.ts';
import { escaped } from '../shared/for-people.ts';
import { plural } from '../shared/plural.ts';
import { ledgerOf } from './ledger.ts';
import { rememberGames } from './golf.ts';
import { goalModelOf } from './engine.ts';
import { shorterFrom } from '../lean/strategies/shorter.ts';

/** An agent that searches for proofs in a run of its own. */
export interface Agent {
  readonly name: 'writer' | 'verifier';
  readonly settings: Settings;
}

/** CPU-seconds of the golfer per goal, unless `goal_cpu` is lower. */
const golfSeconds = 30;

/**
 * Who competes for a goal, each with its own model and limits: the writer's model plans whole proofs, the verifier goes step by
 * step with the strategies of the profile. The golfer then shortens what they prove.
 */
export function agentsOf(settings: Settings): Agent[] {
  const { model, model_writer: writer = model, model_verifier: verifier = model } = settings;
  // each finds its own proofs, and all of them become scripts
  const common: Settings = { ...settings, scripts: settings.scripts === 'auto' ? 'on' : settings.scripts };
  const agents: Agent[] = [];
  if (writer !== undefined)
    agents.push({ name: 'writer', settings: { ...common, model: writer, strategies: ['sketch'] } });
  const features = { ...settings.features, sketch: false };
  agents.push({ name: 'verifier', settings: { ...common, model: verifier, features } });
  return agents;
}

interface Entry extends Proved, Length {
  readonly by: Agent['name'] | 'golfer';
}

/** The accepted proofs of all agents. The shortest one of each goal wins; the others stay in the ledger and as scripts. */
export class Contest {
  readonly #entries: Entry[] = [];
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  add(by: Agent['name'], proved: readonly Proved[]): void {
    for (const one of proved) this.#entries.push({ by, ...one, ...lengthOf(one.proof, 0) });
  }

  /** Called once, after all agents have finished. */
  async winners(lean: Lean): Promise<Proved[]> {
    const settings = this.#settings;
    const { model, model_golfer: golfer = model } = settings;
    const asked = goalModelOf({ ...settings, model: golfer });
    await using ledger = await ledgerOf(settings);
    const course = { ...lean, memory: ledger.experience, propose: asked && shorterFrom(asked) };
    const limits = { cpuSeconds: Math.min(golfSeconds, settings.goal_cpu) };
    const played: { readonly theorem: Proved; readonly game: Game }[] = [];
    for (const entries of Map.groupBy(this.#entries, ({ goal }) => goal.id).values()) {
      const best = shortest(entries);
      const goal = { ...best.goal, holes: wholeStatement };
      const game = await golf(course, goal, best.proof, limits);
      if (!game.ok || !game.value.verdict) continue;
      played.push({ theorem: { goal, proof: best.proof }, game: game.value });
      this.#entries.push({ goal: best.goal, ...game.value.winner, by: 'golfer' });
    }
    await rememberGames(ledger, settings, played, lean);
    return [...Map.groupBy(this.#entries, ({ goal }) => goal.id).values()].map((entries) => {
      const best = shortest(entries);
      for (const one of entries) process.stderr.write(described(one, one === best));
      return best;
    });
  }
}

const shortest = (entries: readonly Entry[]): Entry =>
  entries.reduce((best, one) => (isShorter(one, best) ? one : best));

function described({ by, goal, tactics, characters }: Entry, isBest: boolean): string {
  return escaped`orch: ${isBest ? '✓' : ' '} ${goal.id}: ${by}, ${plural(tactics, 'tactic')}, ${characters} characters\n`;
}
