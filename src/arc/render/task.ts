import type { Grid } from '../grid/grid.ts';
import { printProgram } from '../language/text.ts';
import type { Program } from '../language/program.ts';
import type { Task } from '../grid/task.ts';
import type { RuleVerdict } from '../verify/verify.ts';
import { beside, gridLines, printedWidth, type Look } from './terminal.ts';

/** A task as text; with a rule, what the rule makes of each input, wrong cells marked. */
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

function side(grids: readonly Grid[], look: Look, last: readonly string[] = [], lastGrid?: Grid): string[] {
  const blocks = grids.map((grid) => ({ lines: gridLines(grid, look), width: printedWidth(grid, look) }));
  if (lastGrid !== undefined) blocks.push({ lines: [...last], width: printedWidth(lastGrid, look) });
  return beside(blocks);
}
