import type { RunResult } from './run.ts';
import { plural } from '../../shared/plural.ts';

/** The figures of a run, for people. */
export function metricsText({ metrics, complete }: RunResult, out: string): string {
  const m = metrics;
  const lines = [
    `${plural(m.finished, 'task')}${m.recovered > 0 ? ` (${m.recovered} from earlier runs)` : ''}${complete || m.broken.length > 0 ? '' : ', stopped early'}; rows and metrics in ${out}`,
    `time    median ${m.seconds_median.toFixed(2)} s, longest ${m.seconds_max.toFixed(2)} s (processor time: ${m.cpu_seconds_median.toFixed(2)} s and ${m.cpu_seconds_max.toFixed(2)} s); total ${m.wall_seconds.toFixed(0)} s; peak memory ${m.peak_rss_mb.toFixed(0)} MB; ${m.nodes} nodes`,
  ];
  if (m.broken.length > 0)
    lines.push(`broken  ${m.broken.join(' ')}: not solved; \`orch why TASK\` shows details`);
  if (m.tasks > 0)
    lines.push(
      `tasks   ${m.tasks_solved.pass_2} of ${m.tasks} solved (first attempt alone: ${m.tasks_solved.pass_1})`,
      `outputs ${m.outputs_right.pass_2} of ${m.outputs} right (first attempt alone: ${m.outputs_right.pass_1}); task mean ${(100 * m.task_mean.pass_2).toFixed(1)} %`,
      `sure    ${plural(m.confident, 'task')}, ${m.confident_solved} of them solved: precision ${m.precision === null ? 'unknown' : `${(100 * m.precision).toFixed(1)} %`}`,
    );
  return `${lines.join('\n')}\n`;
}
