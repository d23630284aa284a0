import { escaped, forPeople } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';

/** A proof that the gate accepted, as a pull request describes it. */
export interface ShippedProof {
  /** The theorem, with its namespaces. */
  readonly name: string;
  /** The Lean file, from the top of the repository. */
  readonly file: string;
  readonly proof: string;
  readonly assurance: string;
  readonly strategy: string;
  readonly seconds: number;
  readonly cost: { readonly cpu: number; readonly gpu: number; readonly cloud: number };
  /** Theorems whose requests report its cost. */
  readonly countedWith?: readonly string[];
  /** Attempts on its goals, and how many of them used a cache. */
  readonly attempts: number;
  readonly cacheHits: number;
  readonly dollars: number;
  readonly toolchain: string;
  readonly axioms: readonly string[];
  /** Lemmas named in its proofs. */
  readonly premises: readonly string[];
  /** The answer of the second kernel, if it was used. */
  readonly secondKernel: string | null;
  /** Hashes of the elaborated statements, from the ledger. */
  readonly statementHashes: readonly string[];
  /** `sorry`s in the project, on the base and on the branch. */
  readonly sorries: { readonly before: number; readonly after: number };
  /** Blueprint nodes that name it. */
  readonly nodes: readonly string[];
  /** Dependencies whose proofs are included. */
  readonly below: readonly string[];
  /** All its dependencies are proved. */
  readonly isFullyProved: boolean;
  /** Goals of the same file that are critical and that local budgets left open. */
  readonly stuck: readonly string[];
}

/** `auto/lem/<namespace>/<lemma>`. Namespaces stay one part: git cannot have both `a/b` and `a/b/c`. */
export function branchOf(name: string): string {
  const parts = name.split('.').map((part) => part.replaceAll(/[^\p{L}\p{N}_'-]/gu, '-'));
  const lemma = parts.pop() ?? '';
  return `auto/lem/${parts.join('.') || 'root'}/${lemma}`;
}

/** The texts of a shipment's commit and pull request. */
export interface RequestTexts {
  readonly commit: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

export function textsOf(proof: ShippedProof): RequestTexts {
  return {
    commit: commitMessage(proof),
    title: titleOf(proof),
    body: requestBody(proof),
    labels: labelsOf(proof),
  };
}

function commitMessage(proof: ShippedProof): string {
  const { name, strategy, seconds, cost, isFullyProved } = proof;
  return [
    escaped`feat(lean): add ${name}`,
    '',
    `[status] fully_proved=${isFullyProved} assurance=${proof.assurance}`,
    `[metrics] time=${seconds.toFixed(1)}s tactics=${tacticsIn(proof.proof)} strategies=${strategy}`,
    `[cost] local_cpu_s=${cost.cpu.toFixed(1)} local_gpu_s=${cost.gpu.toFixed(1)} cloud_gpu_s=${cost.cloud.toFixed(1)}`,
    ...(proof.below.length === 0 ? [] : [escaped`${along}${proof.below.join(', ')}`]),
    '',
  ].join('\n');
}

const along = '[with] ';

/** Other theorems on a branch, according to its commit messages. */
export function broughtAlong(messages: string): readonly string[] {
  const lines = messages.split('\n').filter((line) => line.startsWith(along));
  return lines.flatMap((line) => line.slice(along.length).split(', '));
}

const titleOf = ({ name }: ShippedProof): string => escaped`feat(lean): add ${name}`;

/** Pull request text: what was proved, the cost, and what a reviewer need not check again. */
function requestBody(proof: ShippedProof): string {
  const { name, nodes, below, assurance, cost, countedWith = [], toolchain, sorries } = proof;
  const length = `${plural(tacticsIn(proof.proof), 'tactic')}, ${plural(proof.proof.trim().length, 'character')}`;
  const share = proof.attempts === 0 ? 0 : Math.round((100 * proof.cacheHits) / proof.attempts);
  return `### Formalization summary
- Lemmas/Theorems: ${code(name)} (${code(proof.file)})
- Open in the project: ${plural(sorries.before, 'sorry')} → ${sorries.after}
- Depends on (proofs included): ${listed(below)}
- Blueprint nodes touched: ${listed(nodes)}
- Proof: ${length}; lemmas used: ${listed(proof.premises)}
- Still open in this file, and critical: ${listed(proof.stuck)}

### Checks
- Status: ${assurance} by orch's gate on ${toolchain}; strategy ${proof.strategy}
- Axioms: ${listed(proof.axioms)}
- Second kernel: ${proof.secondKernel ?? 'not asked'}
- Statement: unchanged, as the gate compared it with the base; hash of the elaborated statement: ${listed(proof.statementHashes)}

### Compute
- Local: CPU ${clock(cost.cpu)}, GPU ${clock(cost.gpu)}${countedWith.length === 0 ? '' : `; it was found in the proof of ${listed(countedWith)}, which reports the cost`}
- Cloud: ${clock(cost.cloud)}; models: $${proof.dollars.toFixed(4)}
- Cache: ${proof.cacheHits} of ${plural(proof.attempts, 'attempt')} used one (${share} %)

### Risk/Complexity
- New typeclass instances? no
- Nonterminal \`sorry\`? no
- API changes? no
`;
}

export const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'nothing' : names.map(code).join(', ');

/** A name as a Markdown code span. */
export const code = (name: string): string => `\`${forPeople(name).replaceAll('`', String.raw`\u{60}`)}\``;

/** `needs-cloud` starts the workflow that gives stuck goals more time. */
function labelsOf({ stuck }: ShippedProof): readonly string[] {
  return stuck.length > 0 ? ['needs-cloud'] : [];
}

/** Steps of a script; a term is one. */
function tacticsIn(proof: string): number {
  const script = /^\s*by\b([\s\S]*)$/.exec(proof)?.[1];
  return script === undefined ? 1 : script.split(/[\n;]/).filter((line) => line.trim() !== '').length;
}

/** HH:MM:SS */
const clock = (seconds: number): string => new Date(Math.round(seconds) * 1000).toISOString().slice(11, 19);
