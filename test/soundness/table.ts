import type { FailureKind } from '../../src/lean/protocol.ts';
import { kindsOf, sorts, type Attack, type Sort } from './attack.ts';
import { rowAttacks } from './attacks/rows.ts';
import { honestFiles } from './honest/files.ts';
import { honest } from './honest/honest.ts';
import { attacks, expectedKinds, ways } from './suite.ts';

/** docs/SOUNDNESS.md, made from the tables that the tests run. `npm run soundness` runs them all and writes it. */
export function soundnessPage(): string {
  return `${explanation}
## What was tried

${attacks.length} attacks of ${Object.keys(sorts).length} sorts, ${ways.length} ways in; none is accepted. ${honest.length} honest claims and ${honestFiles.length} honest files that look like them: every one is accepted.

The stage is the one that gives the verdict. Where the elaborator’s own quick look already refuses, the row *hostile elaborator* shows
what the judge says about the same text when that look is left out. Several kinds: the limits of the machine decide which comes first.

${(Object.keys(sorts) as Sort[]).map((sort) => section(sort)).join('\n')}
### Further entries

Rows of \`orch run\`, all in one file (\`rows.test.ts\`); none is solved, and the honest rows beside them are: ${rowAttacks.map(({ id }) => id).join('; ')}.
The dashboard takes no proof and no verdict (\`dashboard.test.ts\`). Exports by a grammar, each beside an oracle: \`forge/\`.
`;
}

function section(sort: Sort): string {
  const rows = ways
    .filter(({ attack }) => attack.sort === sort)
    .map(({ attack, entry }) => row(attack, entry, expectedKinds(attack, entry)));
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
    case 'no-theorem':
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
    case 'runs-code':
      return 'isolation';
    case 'crash':
    case 'invalid-request':
    case 'unknown-session':
    case 'unknown-state':
      return 'supervision';
  }
}

const explanation = `# Soundness: nothing false gets through

This page is written by \`npm run soundness\` from the tables in \`test/soundness/\`; do not edit it.

## The threat model

**Who attacks.** Whoever writes a proof, a candidate file, an export, a proof for a ticket, or a proof that a ledger remembers. They
want *accepted* for something false, or for something else than was asked; they know this page and the source.

**What is trusted.** The kernel of the Lean in use (a verdict carries its toolchain, so that it can be given again). The imported
library: its theorems are taken as proved. The judge’s own reading: \`lean/Worker/\`, from JSON to a kernel declaration. The user’s own
preamble, statement and reference *as text*: they say what is claimed, and Lean’s elaboration of them is what they mean. The files of
the embedded Lean, which belong to the user alone (\`test/soundness/cache.test.ts\`).

**What is not.** Code of any text, the user’s own included: it runs, but never in the judge, and not in a process that another claim
uses afterwards. Every answer of an elaborator. Every export, whoever made it. Names as text: they travel part by part.

**Three roles, data between them.** The *stater* elaborates preamble and statement and says them as data: the type and every constant
outside the library that it reaches, in full. The *elaborator* runs the candidate and exports its constants. The *judge* sees no text.
Its verdict is a function of library, statement data, candidate data and allowed axioms: equal bytes, equal verdict.

| stage | what it does | what gets through without it |
|---|---|---|
| form | every row refers to earlier rows; sizes, depths and loose variables are bounded before anything recurses over them | data that kills the judge |
| binding | the theorem is added with the statement’s name, universes and type and the candidate’s value; the candidate’s constants get a root of their own unless they are equal by content to the statement’s | a proof of something else |
| kernel | every constant, the statement’s too, goes through the kernel on top of the library alone | what was added unchecked, and a proof of something else: binding is the kernel’s work |
| advisories | known bugs of the kernel are closed without it: explicit sorts, plain universes, uniform occurrences, projections out of what is one thing for good; constructors, recursors and rules checked again ([kernel-advisories.md](kernel-advisories.md)) | \`False\`, from 30 lines of plain Lean |
| axioms | \`sorryAx\` and compiled code (\`Lean.reduceBool\`, \`Lean.reduceNat\`) are refused before the kernel sees them; beyond \`propext\`, \`Classical.choice\` and \`Quot.sound\` only what the caller allows by name, listed in \`assumes\` | assumptions |

An ablation test switches each stage off and shows the attack of the last column. A limit, a crash or an answer that is not
understood is *unknown*, never success.

**Which text can run code** is decided from its parsed syntax and from what it declares, never from words: an allow-list of commands,
terms, tactics, attributes and options; macros whose right-hand side is a quotation of nothing but their own arguments; no constant
about Lean itself (a parser, a tactic as a value, an instance that makes terms); nothing \`unsafe\`. Whatever else there is runs in a
process that serves this claim alone: about a second more, once a goal.

**Files.** Without \`--against\` a file is judged by what its environment holds: theorems, examples, instances, definitions, axioms. Text
after \`#exit\` is refused as unread. Where proofs run code, or modules that the file imports do, it could hide a theorem: the file is elaborated
once more without the proofs of its theorems, in a process that refuses code of the file’s own, and whatever it declares there must be in what is judged. A file that
runs code outside such proofs is at most *unknown*.
With it, every theorem that the reference writes down must be there; one whose name only a macro knows refuses the reference. Whoever states nothing gets *unknown*.

**Names that nobody declares** are variables for Lean. A statement binds only what Lean’s strict rule allows (a lower-case or Greek
letter, then digits) and longer words that the text before it has as variables; a text before it, only words in lower case or Greek. So
\`ℝ\`, \`Prime\` and \`Natt\` are errors, unless the text says \`set_option relaxedAutoImplicit true\`.

**The second kernel** (\`src/kernel/\`) is a type checker of its own, written in TypeScript. It shares no code with Lean’s kernel or with \`lean/Worker/\`: it parses the exports itself, repeats the binding of the
statement and the axiom walk, derives every recursor from the constructors, and checks every declaration of both exports. \`orch check --second-kernel\` asks it; the setting \`second_kernel\` says whether it also
checks what is written into files, shipped or completes a ticket (default: off). If both kernels accept, the assurance is \`second-kernel\`. If Lean accepts and the second kernel refuses, the verdict is *unknown*, kind
\`kernels-disagree\`, and nothing is written. If it declines (a limit, or something that it does not judge), the assurance stays as it was and the message says why.
It does not help against: Lean’s exporter, which both kernels read; the elaboration of the statement; the library. Library theorems come without proofs and some library definitions without values, so a claim is
checked relative to their types; the verdict carries the SHA-256 of the library data that was used. Arithmetic on literals is done with BigInt for operations whose library definition satisfies their defining equations;
operations that cannot be checked that way (\`Nat.div\`, \`Nat.mod\`, \`Nat.gcd\`, bitwise operations) are assumed and listed in \`assumed\`.
\`orch kernel FILE.ndjson\` checks an export of lean4export (format 3.1) from nothing, with exit codes 0 (accepted), 1 (refused) and 2 (declined).

**What is left.** A bug of the kernel that nobody has announced, or one of our reading; a library that is wrong; a statement that says something else than its author
meant (\`--show-statement\` prints it); a preamble that lies to its own user. The cage (\`orch doctor\` says how strong) stands between
a text’s code and the machine; no verdict depends on it. \`axioms\` lists what new constants use directly, not what library theorems rest on.
`;
