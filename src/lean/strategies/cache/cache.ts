import type { LeanStrategy } from '../strategy.ts';
import { cacheArm, cacheStrategyName } from '../../cache/arms.ts';
import type { ScriptMemory, Offer } from '../../cache/script-memory.ts';
import { sha256 } from '../../../core/sha256.ts';
import { factsOf } from '../../premises/facts.ts';
import { WorkAccount } from '../../workbench/account.ts';
import type { Workbench, WorkState } from '../../workbench/workbench.ts';
import { closeHoles } from '../close-holes.ts';

/** About a second of work for the same goal, less for a similar one. */
const limits = {
  same: { cpu_seconds: 2, heartbeats: 3000 },
  similar: { cpu_seconds: 0.8, heartbeats: 1000 },
} as const;
type Kind = keyof typeof limits;
/** Scripts of the same goal run first; those of similar goals run after the cheapest closers, which cost less. */
const stages = { same: -1, similar: 0.5 } as const;

/** Scripts of earlier goals: `cache/same` before any search, `cache/similar` before anything expensive. Neither is trusted. */
export function cacheStrategy(memory: ScriptMemory): LeanStrategy {
  const known = new WeakMap<Workbench, ReturnType<ScriptMemory['offers']>>();
  const offersOf = (workbench: Workbench) => {
    const offers = known.get(workbench) ?? memory.offers(workbench);
    known.set(workbench, offers);
    return offers;
  };
  return {
    name: cacheStrategyName,
    isMemory: true,
    slot: 'light',
    tier: 0,
    budget: limits.same,
    ready: async () => ({ ready: true }),
    arms: (workbench) => {
      const offers = offersOf(workbench);
      return (['same', 'similar'] as const).flatMap((kind) =>
        offers[kind].length === 0
          ? []
          : [
              {
                name: cacheArm(kind),
                signature: signatureOf(offers[kind]),
                stage: stages[kind],
                budget: limits[kind],
                round: 0,
                isPolished: kind === 'same',
              },
            ],
      );
    },
    async attempt(workbench, { name }, run) {
      const kind: Kind = name === cacheArm('same') ? 'same' : 'similar';
      const account = new WorkAccount(run);
      const bench = { workbench, account, facts: factsOf(workbench) };
      const left = [...offersOf(workbench)[kind]];
      const outcome = await closeHoles(bench, async ({ workbench: on }, root) => {
        for (let offer = left.shift(); offer; offer = left.shift()) {
          const found = await tryOne(memory, on, root, offer, account);
          if (found || account.stopped !== undefined) return found;
        }
        return undefined;
      });
      return { ...outcome, cacheHits: outcome.kind === 'solved' ? 1 : 0 };
    },
  };
}

async function tryOne(
  memory: ScriptMemory,
  workbench: Workbench,
  root: WorkState,
  offer: Offer,
  account: WorkAccount,
): Promise<WorkState | undefined> {
  const before = account.cpuSeconds;
  const [answer] = await workbench.run(root, [offer.script], account);
  if (!answer) return undefined;
  const held = answer.kind === 'state' && answer.state.closed;
  memory.used(offer, held, account.cpuSeconds - before);
  return held ? answer.state : undefined;
}

function signatureOf(offers: readonly Offer[]): string {
  return sha256(JSON.stringify(offers.map(({ script }) => script))).slice(0, 16);
}
