import { definite } from '../../core/errors.ts';
import { galleryPage, type Exhibit } from '../render/html.ts';
import { score } from '../verify/scoring.ts';
import type { Task } from '../grid/task.ts';
import { verify } from '../verify/verify.ts';
import { attemptsOf, type TaskRow } from './row.ts';
import type { RunResult } from './run.ts';

/** A near miss gets at least this fraction of the training cells right. */
const nearCellAccuracy = 0.9;
/** Number of rules shown per task. */
const shownRules = 3;

/** The gallery of a run: solved, near and failed tasks with their rules and wrong cells. */
export function gallery(tasks: readonly Task[], { rows, metrics }: RunResult): string {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const exhibits = rows.map((row) => exhibit(definite(byId.get(row.task_id)), row));
  const summary = `${metrics.finished} tasks, mode ${metrics.mode}: ${metrics.tasks_solved.pass_2} solved with two attempts, ${metrics.confident} answered with confidence.`;
  return galleryPage('ARC tasks', summary, exhibits);
}

function exhibit(task: Task, row: TaskRow): Exhibit {
  const known = task.answers.every((answer) => answer !== null);
  const right =
    score([{ task, attempts: attemptsOf(row), confident: row.confident }]).tasks_solved.pass_2 === 1;
  const best = row.candidates[0];
  const near = row.fits || (best?.feature_vec.cell_acc ?? 0) >= nearCellAccuracy;
  const state = known
    ? right
      ? 'solved'
      : near
        ? 'near'
        : 'failed'
    : row.fits
      ? 'fits'
      : near
        ? 'near'
        : 'failed';
  return {
    task,
    state,
    note: row.fits ? 'the rule fits all training pairs' : `best verifier score ${best?.verifier_score ?? 0}`,
    rules: row.candidates.slice(0, shownRules).map(({ candidate_id, program, verifier_score, by }) => {
      const attempt = row.chosen.findIndex((one) => one.candidate_id === candidate_id);
      const name = attempt < 0 ? 'candidate' : `attempt ${attempt + 1}`;
      return {
        program,
        verdict: verify(program, task),
        title: `${name}: ${by}, verifier score ${verifier_score}`,
      };
    }),
  };
}
