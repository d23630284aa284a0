import type { Verdict } from './verdict.ts';
import { sha256 } from '../../core/sha256.ts';
import { parseNames } from '../base/names.ts';
import type { SecondKernel, SecondOpinion } from '../second-kernel/second-kernel.ts';
import type { RequestLimits } from '../toolchain/worker.ts';

/**
 * When to use the second kernel: `asked` explicitly, or `final`, because an accepted proof will be written to a file, shipped or complete a ticket. Searches do not use it.
 */
export type SecondKernelWish = 'asked' | 'final';

/** The setting `second_kernel`, for final verdicts. */
export type SecondKernelPolicy = 'off' | 'sample' | 'always';

/** With `sample`, one in this many final verdicts is checked; which ones depends on the proof alone. */
const sampleEvery = 10;

interface Judged {
  readonly kind: 'claim' | 'file';
  readonly statement: string | undefined;
  readonly candidate: unknown;
  readonly allowAxioms: readonly string[];
}

/** Checks with the second kernel what Lean's kernel has accepted. */
export class SecondOpinions {
  readonly #kernel: SecondKernel;
  readonly #policy: SecondKernelPolicy;

  constructor(kernel: SecondKernel, policy: SecondKernelPolicy) {
    this.#kernel = kernel;
    this.#policy = policy;
  }

  async close(): Promise<void> {
    await this.#kernel.close();
  }

  /** The verdicts, completed by the second kernel's. */
  async on(
    verdicts: readonly Verdict[],
    judged: Judged,
    wish: SecondKernelWish | undefined,
    limits: RequestLimits,
  ): Promise<Verdict[]> {
    const isWanted = wish === 'asked' || (wish === 'final' && this.#isChosen(judged));
    if (!isWanted || !verdicts.some(({ verdict }) => verdict === 'accepted')) return [...verdicts];
    const { kind, statement, candidate, allowAxioms } = judged;
    const question = { kind, statement, candidate, allowAxioms: parseNames(allowAxioms) };
    const opinion = await this.#kernel.judge(question, limits);
    return verdicts.map((verdict) => combine(verdict, opinion, verdicts.length));
  }

  #isChosen({ candidate }: Judged): boolean {
    if (this.#policy !== 'sample') return this.#policy === 'always';
    return Number.parseInt(sha256(JSON.stringify(candidate)).slice(0, 8), 16) % sampleEvery === 0;
  }
}

/** Lean and the second kernel put `«»` around different parts. */
const unquoted = (name: string): string => name.replaceAll(/[«»]/g, '');

/** Without the quotes, two different names can be equal. */
function worstOf(theorems: SecondOpinion['theorems']): SecondOpinion['theorems'][number] | undefined {
  return (['refuse', 'decline', 'accept'] as const)
    .map((answer) => theorems.find(({ outcome }) => outcome.answer === answer))
    .find((found) => found !== undefined);
}

/** One verdict. Agreement raises the assurance; disagreement makes it unknown. */
function combine(verdict: Verdict, opinion: SecondOpinion, count: number): Verdict {
  if (verdict.verdict !== 'accepted' || verdict.kind !== 'proved') return verdict;
  const whole = opinion.theorems.find(({ name }) => name === '');
  const named = opinion.theorems.filter(({ name }) => unquoted(name) === unquoted(verdict.name ?? ''));
  const outcome = (whole ?? named.find(({ name }) => name === verdict.name) ?? worstOf(named))?.outcome;
  const cpu_seconds = verdict.cpu_seconds + opinion.cpuSeconds / count;
  const told = {
    answer: outcome?.answer ?? ('decline' as const),
    library: opinion.libraryHash,
    assumed: opinion.assumed,
  };
  if (outcome?.answer === 'accept')
    return {
      ...verdict,
      // a second kernel does not bind an unbound statement
      assurance: verdict.assurance === 'replayed' ? 'second-kernel' : verdict.assurance,
      message: 'both kernels accept the proof',
      second_kernel: told,
      cpu_seconds,
    };
  const why = outcome?.message ?? 'the second kernel did not check this theorem';
  if (outcome?.answer === 'refuse')
    return {
      ...verdict,
      verdict: 'unknown',
      kind: 'kernels-disagree',
      message: `Lean's kernel accepts the proof, the second kernel refuses it: ${why}. Please report this proof; nothing was written`,
      assurance: null,
      second_kernel: { ...told, message: why },
      cpu_seconds,
    };
  return {
    ...verdict,
    message: `${verdict.message}; the second kernel declined: ${why}`,
    second_kernel: { ...told, message: why },
    cpu_seconds,
  };
}
