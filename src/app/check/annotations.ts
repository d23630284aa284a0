import type { Verdict } from '../../lean/gate/verdict.ts';
import type { JudgedFile } from '../../lean/gate/gate.ts';
import { workflowCommand } from '../../reporters/github.ts';
import { forPeople } from '../../shared/for-people.ts';

/** The line of a file that a verdict is about: where Lean found an error, else where the theorem begins. */
export function lineOf({ name, message }: Verdict, { theorems }: JudgedFile): number | null {
  const told = /^line (\d+)\b/.exec(message)?.[1];
  if (told !== undefined) return Number(told);
  return theorems.find((theorem) => theorem.name === name)?.start[0] ?? null;
}

/** In a workflow of GitHub, every theorem that was not accepted is marked at its place in the file. */
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
