import type { FailureKind } from '../../src/lean/base/protocol.ts';
import { kindsOf, sorts, type Attack, type Sort } from './attack.ts';
import { boundarySection } from '../hostile/boundaries.ts';
import { arenaCounts } from './arena.ts';
import { rowAttacks } from './attacks/rows.ts';
import { honestFiles } from './honest/files.ts';
import { honest } from './honest/honest.ts';
import { attacks, expectedKinds, ways } from './suite.ts';

/** docs/ATTACKS.md, generated from the tables that the tests run. `npm run soundness` runs them all and writes it. */
export function soundnessPage(): string {
  return `${explanation}
${attacks.length} attacks of ${Object.keys(sorts).length} sorts, through ${ways.length} entries: none is accepted. ${honest.length} honest claims and ${honestFiles.length} honest files that look similar: all are accepted.

*Caught by* is the stage that gives the verdict. The elaborator rejects some attacks before the judge sees them; for these, the row *hostile elaborator* shows the judge’s verdict without that early check. Where
several kinds are listed, the machine’s limits decide which one comes first.

${(Object.keys(sorts) as Sort[]).map((sort) => section(sort)).join('\n')}
## Further entries

Rows of \`orch run\` in one file (\`rows.test.ts\`); none is solved, and the honest rows next to them are:

${rowAttacks.map(({ id }) => `- ${id}`).join('\n')}

The dashboard accepts neither proofs nor verdicts (\`dashboard.test.ts\`). \`forge/\` generates exports from a grammar and compares each verdict with an oracle.

\`paths.long.test.ts\` tries the same proofs on every path that leads to the gate: files that orch writes, golf, ship, the market, script bundles, Kimina, MCP, remote answers and the REPL.

The tutorial of leanprover/lean-kernel-arena has ${arenaCounts.all} cases (\`arena.long.test.ts\`). The judge accepts ${arenaCounts.good} good cases and refuses ${arenaCounts.bad} bad ones. The other ${arenaCounts.all - arenaCounts.good - arenaCounts.bad} supply their own recursors, which our exports cannot contain.

${boundarySection()}`;
}

function section(sort: Sort): string {
  const rows = ways
    .filter(({ attack }) => attack.sort === sort)
    .map(({ attack, entry }) => row(attack, entry, expectedKinds(attack, entry)));
  return `## ${sort}: ${sorts[sort]}

| disguise | entry | kind | caught by |
|---|---|---|---|
${rows.join('\n')}
`;
}

function row(attack: Attack, entry: string, expected: FailureKind | readonly FailureKind[]): string {
  const kinds = kindsOf(expected);
  const stages = [...new Set(kinds.map((kind) => stageOf(kind)))];
  return `| ${attack.disguise.replaceAll('|', '\\|')} | ${entry} | ${kinds.join(', ')} | ${stages.join(', ')} |`;
}

/** The part of the gate that says so. */
function stageOf(kind: FailureKind): string {
  switch (kind) {
    case 'statement':
    case 'parse':
    case 'elaboration':
    case 'tactic':
    case 'missing-import':
    case 'inseparable':
    case 'unread':
    case 'no-theorem':
      return 'elaboration';
    case 'malformed-export':
    case 'constraint':
    case 'unsafe':
      return 'form';
    case 'statement-changed':
      return 'binding';
    case 'kernel':
      return 'kernel';
    case 'sorry':
    case 'axiom':
      return 'axioms';
    case 'heartbeats':
    case 'recursion':
    case 'timeout':
    case 'memory':
    case 'cancelled':
      return 'limits';
    case 'runs-code':
      return 'isolation';
    case 'unaccounted':
      return 'account';
    case 'crash':
    case 'invalid-request':
    case 'unknown-session':
    case 'unknown-state':
      return 'supervision';
  }
}

const explanation = `# Attacks on the gate

\`npm run soundness\` writes this page from the tables in \`test/soundness/\`; do not edit it. [Soundness](SOUNDNESS.md) explains the threat model and the stages.

\`\`\`console long
$ orch check --stmt "theorem t : False" --proof "sorry"    # exit 1
✗ rejected  sorry: the proof contains sorry
\`\`\`
`;
