/** A step of a script: a tactic, and the number of goals before and after it. */
export interface ScriptStep {
  readonly tactic: string;
  readonly before: number;
  readonly after: number;
}

/**
 * The steps as a readable tactic block: when a step leaves several goals, each is proved under its own bullet. If a
 * step changes more than its first goal, the script stays flat, as it was run.
 */
export function renderScript(steps: readonly ScriptStep[]): string {
  const reader = new Reader(steps);
  const lines = reader.goal();
  return lines && reader.isDone ? lines.join('\n') : steps.map(({ tactic }) => tactic).join('\n');
}

class Reader {
  readonly #steps: readonly ScriptStep[];
  #next = 0;

  constructor(steps: readonly ScriptStep[]) {
    this.#steps = steps;
  }

  get isDone(): boolean {
    return this.#next === this.#steps.length;
  }

  /** The lines that prove the first goal, or undefined when the steps do not determine them. */
  goal(): string[] | undefined {
    const lines: string[] = [];
    for (;;) {
      const step = this.#steps[this.#next++];
      if (!step) return undefined;
      lines.push(...step.tactic.split('\n'));
      const left = step.after - step.before + 1;
      if (left < 0) return undefined;
      if (left === 0) return lines;
      if (left === 1) continue;
      for (let child = 0; child < left; child++) {
        const block = this.goal();
        if (!block) return undefined;
        lines.push(...block.map((line, index) => `${index === 0 ? '· ' : '  '}${line}`));
      }
      return lines;
    }
  }
}

/** A tactic block as a proof. */
export function proofOf(script: string): string {
  return `by\n  ${script.replaceAll('\n', '\n  ')}`;
}
