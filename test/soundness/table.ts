import type { FailureKind } from '../../src/lean/protocol.ts';
import { kindsOf, sorts, type Attack, type Sort } from './attack.ts';
import { honest } from './honest.ts';
import { attacks, entriesOf, expectedKinds } from './suite.ts';

/** docs/SOUNDNESS.md, made from the tables that the tests run. `npm run soundness` runs them all and writes it. */
export function soundnessPage(): string {
  const rows = attacks.flatMap((attack) => entriesOf(attack).map((entry) => ({ attack, entry })));
  return `${explanation}
## What was tried

${attacks.length} attacks of ${Object.keys(sorts).length} sorts, ${rows.length} ways in; none is accepted. ${honest.length} honest proofs that look like them: every one is accepted at \`replayed\`.

The stage is the one that gives the verdict. Where the elaborator’s own quick look already refuses, the row *hostile elaborator* shows
what the judge says about the same text when that look is left out. Several kinds: the limits of the machine decide which comes first.

${(Object.keys(sorts) as Sort[]).map((sort) => section(sort)).join('\n')}`;
}

function section(sort: Sort): string {
  const rows = attacks
    .filter((attack) => attack.sort === sort)
    .flatMap((attack) => entriesOf(attack).map((entry) => row(attack, entry, expectedKinds(attack, entry))));
  return `### ${sort}: ${sorts[sort]}

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
    case 'unread':
    case 'runs-code':
      return 'elaboration';
    case 'malformed-export':
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
    case 'crash':
    case 'invalid-request':
    case 'unknown-session':
    case 'unknown-state':
      return 'supervision';
  }
}

const explanation = `# Soundness: nothing false gets through

This page is written by \`npm run soundness\` from the tables in \`test/soundness/\`; do not edit it.

## The gate

A candidate is elaborated in one process and judged in another. The elaborator runs whatever code the candidate brings, so nothing
that it says is believed: it only hands over the new constants *as data* (names, universe levels, expressions, declarations;
docs/PROTOCOL.md). The judge never sees the candidate’s text. It elaborates the preamble and the statement, which are the user’s,
and then goes through four stages:

1. **form**: the data is read row by row; every reference must point to an earlier row; sizes, depths and loose bound variables
   are bounded before anything recurses over them.
2. **binding**: name, universe parameters and type of the theorem are those of the statement that the judge elaborated. With
   \`--against\` also every definition, inductive type and axiom that the reference and the file share.
3. **kernel**: Lean’s kernel adds every constant of the candidate, and every constant of the preamble that it needs, to the
   environment of the imports alone. What was added unchecked while it was elaborated is checked here.
4. **axioms**: everything new under the theorem is walked. \`sorryAx\` is always refused; beyond \`propext\`, \`Classical.choice\` and
   \`Quot.sound\` only axioms of the preamble that the caller allows by name are accepted, and listed in \`assumes\`. What would make
   the kernel run compiled code (\`Lean.reduceBool\`, \`Lean.reduceNat\`) is refused before the kernel sees it.

A limit, a crash or an answer that is not understood is *unknown*, never success. An ablation test switches each stage off and shows
an attack that then gets through or kills the judge, so no stage is decoration; a property test edits exports at random.

## What it rests on

The kernel of the Lean in use (4.28 for the embedded one; a verdict carries its toolchain, so that it can be given again). The
imported library: its theorems are taken as proved, so \`axioms\` lists what new constants use directly and not what library theorems
rest on. The preamble and the statement are the user’s: they say what is claimed, and the preamble’s code runs in the judge’s
process, in a cage (\`orch doctor\` says how strong) but not apart from the judge. The files of the embedded Lean belong to the user
alone; a folder that others could have written is not used (\`test/soundness/cache.test.ts\`).

\`bv_decide\` is not offered: it calls an external solver, and what it proves rests on the compiler (\`Lean.ofReduceBool\`).
`;
