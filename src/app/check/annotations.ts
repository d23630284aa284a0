import type { Verdict } from '../../lean/gate/verdict.ts';
import { sourceName } from '../../lean/base/names.ts';
import type { JudgedFile } from '../../lean/gate/gate.ts';
import { workflowCommand } from '../../reporters/github.ts';
import { forPeople } from '../../shared/for-people.ts';

/** The line that a verdict refers to: Lean's error, else the start of the theorem. */
export function lineOf({ name, message }: Verdict, { theorems }: JudgedFile): number | null {
  const told = /^line (\d+)\b/.exec(message)?.[1];
  if (told !== undefined) return Number(told);
  return theorems.find((theorem) => sourceName(theorem.name) === sourceName(name ?? ''))?.start[0] ?? null;
}

/** In a GitHub workflow, annotates every theorem that was not accepted. */
export function annotate(file: string, judged: JudgedFile): void {
  if (process.env['GITHUB_ACTIONS'] !== 'true') return;
  for (const verdict of judged.verdicts) {
    if (verdict.verdict === 'accepted') continue;
    const line = lineOf(verdict, judged);
    const place = line === null ? { file } : { file, line };
    const title = forPeople(verdict.name ?? 'orch check');
    process.stderr.write(
      workflowCommand('error', `${verdict.kind}: ${verdict.message}`, { ...place, title }),
    );
  }
}
