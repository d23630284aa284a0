import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openLean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { systemClock } from '../src/core/clock.ts';
import { bareGoal, type LeanGoal } from '../src/lean/goals/goal.ts';
import { minimise } from '../src/lean/improve/polish/minimise.ts';
import { WorkAccount } from '../src/lean/workbench/account.ts';
import { Workbench } from '../src/lean/workbench/workbench.ts';
import { openLedger } from '../src/store/open.ts';

/**
 * Compares proofs as found by the search with proofs as written into files: the first accepted candidate of each goal
 * of a ledger is cleaned up again and judged. Usage: npm run bench:proofs -- LEDGER… [--page FILE] [--most N] [--only
 * REGEXP]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    page: { type: 'string' },
    most: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
  },
});
const limits = { cpu_seconds: 4, heartbeats: 40_000 };

interface Pair {
  readonly goal: LeanGoal;
  readonly before: string;
  readonly after: string;
  readonly workSeconds: number;
}

const found = (await Promise.all(positionals.map(async (file) => await firstProofs(file)))).flat();
const chosen = found.filter(({ goal }) => new RegExp(values.only).test(goal.id));
await using lean = await openLean({ ...settingsFrom(), lean: 'embedded' }, { image: 'init', slots: 1 });
const pairs: Pair[] = [];
for (const { goal, before } of chosen) {
  const pair = await polished(goal, before);
  if (!pair) continue;
  pairs.push(pair);
  process.stdout.write(
    `${goal.id}  ${pair.workSeconds.toFixed(2)} s of work\n${before}\n---\n${pair.after}\n\n`,
  );
}
const changed = pairs.filter(({ before, after }) => before !== after);
process.stdout.write(`${changed.length} of ${pairs.length} proofs changed\n`);
if (values.page !== undefined) writeFileSync(values.page, pageOf(changed));

/** Goals with the original proofs found by their attempts. */
async function firstProofs(file: string): Promise<{ goal: LeanGoal; before: string }[]> {
  await using ledger = await openLedger(file, { clock: systemClock, readOnly: true });
  const goals = new Map<string, LeanGoal>();
  const proofs = new Map<string, string>();
  for (const event of await ledger.journal.eventsSince(0, 1_000_000)) {
    if (event.type === 'goal-added' && event.requester === null)
      goals.set(event.goal, {
        ...bareGoal,
        id: event.goal,
        statement: event.statement,
        preamble: event.preamble,
        allowAxioms: event.allow_axioms,
      });
    if (event.type === 'candidate-judged' && event.verdict === 'accepted' && !proofs.has(event.goal))
      proofs.set(event.goal, event.proof);
  }
  return [...goals.values()].flatMap((goal) => {
    const before = proofs.get(goal.id);
    return before?.startsWith('by\n  ') === true ? [{ goal, before }] : [];
  });
}

async function polished(goal: LeanGoal, before: string): Promise<Pair | undefined> {
  const run = {
    limits,
    signal: new AbortController().signal,
    permit: async () => {},
    deadline: Infinity,
    place: 0,
    seed: 1,
  };
  const candidate = await lean.pool.use(
    async (lease) => {
      const opened = await Workbench.open(lease, goal, { toolchain: lean.pool.toolchain });
      if (!opened.ok) return undefined;
      const workbench = opened.value;
      const account = new WorkAccount({ ...run, limits: { ...limits, cpu_seconds: 60 } });
      const script = before.slice('by\n  '.length).replaceAll('\n  ', '\n');
      const [answer] = await workbench.run(workbench.root(0), [script], account, { until: 'end' });
      if (answer?.kind !== 'state' || (await workbench.close(answer.state, account))) return undefined;
      const smaller = await minimise(workbench, { proof: before, premises: [] }, run);
      await workbench.end();
      return { after: smaller.candidate.proof, workSeconds: smaller.workSeconds };
    },
    { preamble: goal.preamble },
  );
  if (!candidate) return undefined;
  const { preamble, statement, allowAxioms } = goal;
  const claim = { preamble, statement, proof: candidate.after, allowAxioms };
  const { verdict, message } = await lean.gate.check(claim, { deadlineMs: 300_000 });
  if (verdict !== 'accepted')
    process.stdout.write(`${goal.id}: ${verdict}: ${message}\n${candidate.after}\n`);
  return {
    goal,
    before,
    after: verdict === 'accepted' ? candidate.after : before,
    workSeconds: candidate.workSeconds,
  };
}

/** The pairs with the largest changes, as a Markdown page. */
function pageOf(all: readonly Pair[]): string {
  const most = all
    .toSorted((one, two) => two.before.length - two.after.length - (one.before.length - one.after.length))
    .slice(0, Number(values.most));
  const parts = most.map(
    ({ goal, before, after }) =>
      `## ${goal.id.replace(/^\/.*\//, '')}\n\n\`\`\`lean\n${goal.statement}\n\`\`\`\n\nFound:\n\n\`\`\`lean\n${before}\n\`\`\`\n\nWritten:\n\n\`\`\`lean\n${after}\n\`\`\`\n`,
  );
  return [
    '# Proofs, as found and as written\n',
    '`npm run bench:proofs` writes this page from a ledger: real proofs, as the search found them and as `orch` writes them.\n',
    'The search keeps what works. Before a proof is written into a file, `orch` removes what it does not need, gives names to hypotheses and judges the result again.\n',
    '```console long\n$ orch run docs/tour/Basics.lean    # exit 1\n✓ add_swap  micro/close\n```\n',
    ...parts,
  ].join('\n');
}
