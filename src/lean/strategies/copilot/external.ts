import type { TacticSuggestion } from '../../../models/tactic-server.ts';
import { describeGoal } from '../../describe-goal.ts';
import type { WorkState } from '../../workbench.ts';
import type { HoleSearch } from '../close-holes.ts';

export type AskTactics = (
  state: string,
  signal: AbortSignal,
) => Promise<readonly TacticSuggestion[] | string>;

/** States that a model is asked about in one search; each may take seconds of somebody's GPU. */
const maxAsked = 40;
const maxDepth = 12;

interface Waiting {
  readonly state: WorkState;
  /** The sum of the logarithms of the scores on the way: what the model believes in most comes first. */
  readonly belief: number;
}

/** Best first over what an external model proposes; Lean says what becomes of each proposal. */
export function externalSearch(ask: AskTactics): HoleSearch {
  return async ({ workbench, account }, root) => {
    const waiting: Waiting[] = [{ state: root, belief: 0 }];
    const seen = new Set<string>();
    for (let asked = 0; asked < maxAsked && account.stopped === undefined; asked++) {
      waiting.sort((first, second) => second.belief - first.belief);
      const next = waiting.shift();
      if (!next) return undefined;
      const proposals = await ask(next.state.goals.map(describeGoal).join('\n\n'), account.signal);
      if (typeof proposals === 'string') {
        if (!account.signal.aborted) account.break(proposals);
        return undefined;
      }
      const tactics = [...new Set(proposals.map(({ output }) => output))];
      const answers = await workbench.run(next.state, tactics, account);
      for (const [index, answer] of answers.entries()) {
        if (answer.kind !== 'state') continue;
        const { state } = answer;
        if (state.closed) return state;
        const key = JSON.stringify(state.goals);
        if (seen.has(key) || state.tactics.length >= maxDepth) continue;
        seen.add(key);
        const score = proposals.find(({ output }) => output === tactics[index])?.score ?? 0;
        waiting.push({ state, belief: next.belief + Math.log(Math.max(1e-9, score)) });
      }
    }
    return undefined;
  };
}
