import { definite } from '../../core/errors.ts';
import type { Grid } from '../grid/grid.ts';
import { printProgram } from '../language/text.ts';
import type { Program } from '../language/program.ts';
import type { Task } from '../grid/task.ts';
import type { RuleVerdict } from '../verify/verify.ts';
import type { Attempt } from '../search/choose.ts';
import { reasonFor, sentenceOf, stepsOf } from './explain.ts';
import { beside, gridLines, printedWidth, type Look } from './terminal.ts';

/** A task as text; with a rule, the rule's output on each input, with wrong cells marked. */
export function taskText(
  task: Task,
  look: Look,
  rule?: { readonly program: Program; readonly verdict: RuleVerdict },
): string {
  const lines: string[] = [`task ${task.id}`, ''];
  for (const [i, { input, output }] of task.train.entries()) {
    const outcome = rule?.verdict.outcomes[i];
    const made = outcome?.kind === 'grid' ? outcome.grid : undefined;
    const verdict =
      outcome === undefined
        ? ''
        : outcome.kind === 'grid'
          ? rule?.verdict.exact[i] === true
            ? ' · right'
            : ' · wrong'
          : ` · ${outcome.kind}: ${outcome.message}`;
    lines.push(`train ${i}: input, output${made === undefined ? '' : ', by the rule'}${verdict}`);
    lines.push(
      ...side([input, output], look, made === undefined ? [] : gridLines(made, look, output), made),
      '',
    );
  }
  for (const [i, input] of task.test.entries()) {
    const outcome = rule?.verdict.answers[i];
    lines.push(`test ${i}: input${outcome?.kind === 'grid' ? ', by the rule' : ''}`);
    lines.push(...side(outcome?.kind === 'grid' ? [input, outcome.grid] : [input], look), '');
  }
  if (rule !== undefined) lines.push('rule:', printProgram(rule.program), '');
  return lines.join('\n');
}

/** The chosen rule in one sentence and a picture for each step, then what the second attempt answers and why it came second. */
export function explanationText(task: Task, [first, second]: readonly Attempt[], look: Look): string {
  if (first === undefined) return '';
  const { program, verifier_score } = first.candidate;
  const name =
    verifier_score === 1
      ? `rule (${percent(first.belief)} likely)`
      : 'no rule fits every training pair; the nearest';
  const lines = [`${name}: ${sentenceOf(program)}`, ''];
  for (const [i, { text, grids }] of stepsOf(program, definite(task.test[0])).entries())
    lines.push(`test 0, step ${i + 1}: ${text}`, ...(grids.length === 0 ? [] : side(grids, look)), '');
  if (second === undefined) return lines.join('\n');
  const answers = second.candidate.answers.filter((grid) => grid !== null);
  lines.push(`runner-up (${percent(second.belief)} likely): ${sentenceOf(second.candidate.program)}`);
  if (answers.length > 0) lines.push('it answers:', ...side(answers, look));
  lines.push(`it came second because ${reasonFor(first, second)}`, '');
  return lines.join('\n');
}

function percent(belief: number): string {
  return `${Math.round(100 * belief)} %`;
}

function side(grids: readonly Grid[], look: Look, last: readonly string[] = [], lastGrid?: Grid): string[] {
  const blocks = grids.map((grid) => ({ lines: gridLines(grid, look), width: printedWidth(grid, look) }));
  if (lastGrid !== undefined) blocks.push({ lines: [...last], width: printedWidth(lastGrid, look) });
  return beside(blocks);
}
