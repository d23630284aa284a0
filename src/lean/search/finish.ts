import type { WorkState } from '../workbench/workbench.ts';
import type { Bench } from './bench.ts';
import type { Tier } from './closers.ts';
import type { Goal } from '../base/protocol.ts';

/** An introduction is a single step, so it gets a third of a second. */
const introductionHeartbeats = 1000;

/** Try closers on the goal in front. */
export async function finish(
  bench: Bench,
  state: WorkState,
  tiers: readonly Tier[],
): Promise<WorkState | undefined> {
  for (const { tactics, heartbeats } of tiers) {
    const answers = await bench.workbench.run(state, tactics, bench.account, {
      heartbeats,
      until: 'fewer-goals',
    });
    for (const answer of answers)
      if (answer.kind === 'state' && (answer.state.closed || answer.state.goals.length < state.goals.length))
        return answer.state;
  }
  return undefined;
}

/** Names for introduced variables; the longest list that works is used. */
function introductions({ hypotheses }: Goal): string[] {
  const used = new Set(hypotheses.map(({ name }) => name));
  const free = ['h', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7', 'h8'].filter((name) => !used.has(name));
  return [6, 5, 4, 3, 2, 1].map((count) => `intro ${free.slice(0, count).join(' ')}`);
}

/** Works from the state after every successful `intro`, with names that later steps can use. */
export async function fromIntroduced(
  bench: Bench,
  root: WorkState,
  search: (start: WorkState) => Promise<WorkState | undefined>,
): Promise<WorkState | undefined> {
  const [front] = root.goals;
  if (!front) return undefined;
  const answers = await bench.workbench.run(root, introductions(front), bench.account, {
    heartbeats: introductionHeartbeats,
    until: 'end',
  });
  const deepest = answers.find((answer) => answer.kind === 'state');
  return await search(deepest?.kind === 'state' ? deepest.state : root);
}
