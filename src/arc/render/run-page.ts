import type { BlameLocus } from '../learning/critic/blame.ts';
import type { Program } from '../language/program.ts';
import { printProgram } from '../language/text.ts';
import type { CandidateRecord, TaskTrace } from '../learning/schemas.ts';
import type { Task } from '../grid/task.ts';
import { verify } from '../verify/verify.ts';
import { caption, escape, pageOf, pairHtml } from './html.ts';

/** A task with what the loop did on it. */
export interface TracedTask {
  readonly task: Task;
  readonly trace: TaskTrace;
}

/** The page of a loop run: for every task the score by iteration, with the blamed step and cells of its best rule. */
export function runPage(title: string, summary: string, traced: readonly TracedTask[]): string {
  // unsolved tasks first, because readers look for them
  const ordered = [...traced].sort((a, b) => Number(a.trace.row.solved) - Number(b.trace.row.solved));
  return pageOf(title, summary, ordered.map(taskHtml).join('\n'));
}

function taskHtml({ task, trace }: TracedTask): string {
  const { row } = trace;
  const best = bestOf(trace);
  const note = `${row.solved ? 'solved' : 'not solved'} · ${row.stop} · ${row.nodes} nodes · ${row.best?.error_type ?? 'no program'}`;
  const pairs = task.train.map(({ input, output }) =>
    pairHtml([caption('input', input), caption('output', output)]),
  );
  return `<article id="${escape(task.id)}"><h3>${escape(task.id)} <small>${escape(note)}</small></h3>
${scoresHtml(row.scores)}
<details><summary>training pairs</summary><div class="pairs">${pairs.join('')}</div></details>
${best === undefined ? '' : ruleHtml(task, best)}</article>`;
}

/** The record of the best candidate, with its blame. */
function bestOf({ row, iterations }: TaskTrace): CandidateRecord | undefined {
  return iterations
    .flatMap(({ candidates }) => candidates)
    .find(({ candidate_id, program }) => candidate_id === row.best?.candidate_id && program !== null);
}

const chart = { width: 180, height: 40 };

/** The best score after each iteration, as a line and as numbers. */
function scoresHtml(scores: readonly number[]): string {
  const across = (i: number): number => 4 + (i * (chart.width - 8)) / Math.max(1, scores.length - 1);
  const points = scores.map((score, i) => [across(i), 4 + (1 - score) * (chart.height - 8)] as const);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const dots = points.map(
    ([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3" fill="#f93"/>`,
  );
  const said = scores.map((score, i) => `${i}: ${score.toFixed(3)}`).join(' · ');
  return `<figure class="scores"><svg width="${chart.width}" height="${chart.height}" role="img" aria-label="score by iteration"><polyline points="${line}" fill="none" stroke="#f93"/>${dots.join('')}</svg><figcaption>score by iteration ${said}</figcaption></figure>`;
}

function ruleHtml(task: Task, { program, blame }: CandidateRecord): string {
  if (program === null) return '';
  const steps = printProgram(program).split('\n');
  const text = steps.map((step, i) =>
    i === blame?.step_idx ? `<mark>${escape(step)}</mark>` : escape(step),
  );
  return `<pre>${text.join('\n')}</pre>
${blame === null ? '' : `<p>${escape(blameText(blame))}</p>${blamedPair(task, program, blame)}`}`;
}

function blameText({ level, step_idx, arg, gain }: BlameLocus): string {
  const what = level === 'missing_step' ? `a step is missing after $${step_idx}` : `${level} of $${step_idx}`;
  const where = arg === null ? '' : ` (${arg})`;
  return `Blamed: ${what}${where}; ${gain > 0 ? `the best change there gains ${gain.toFixed(3)}` : 'no single change gains'}.`;
}

/** The rule's output on the blamed pair, with wrong cells crossed and the box around them. */
function blamedPair(task: Task, program: Program, { pair_idx, bbox }: BlameLocus): string {
  const pair = pair_idx === null ? undefined : task.train[pair_idx];
  if (pair === undefined) return '';
  const outcome = verify(program, { train: [pair], test: [] }).outcomes[0];
  const made =
    outcome?.kind === 'grid'
      ? caption(`train ${pair_idx}, by the rule`, outcome.grid, pair.output, bbox)
      : `<figure><figcaption>train ${pair_idx}: ${escape(outcome?.message ?? '')}</figcaption></figure>`;
  return `<div class="pairs">${pairHtml([caption('input', pair.input), made, caption('wanted', pair.output)])}</div>`;
}
