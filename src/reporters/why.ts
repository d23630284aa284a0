import { asTyped, invocation } from '../core/invocation.ts';
import type { ArmChoice } from '../shared/events.ts';
import { linesForPeople } from '../shared/for-people.ts';
import type { AttemptRow, GoalDetail, HelperLemma } from '../shared/ledger.ts';
import { plural } from '../shared/plural.ts';
import { boughtRows, formatDollars } from './model-costs.ts';
import { quoted } from './next-steps.ts';
import { cut, oneLine } from './width.ts';

/** One screen: the goal's status, what was tried, what came close, what to do next. */
export function goalInShort(goal: GoalDetail, lemmas: readonly HelperLemma[] = []): string {
  const lines = [
    ...headOf(goal),
    ...section('Tried', triedLines(goal)),
    ...section('Helper lemmas', lemmaLines(lemmas)),
    ...section('Proof', clipped((goal.proofs.at(-1)?.proof ?? '').split('\n'), 8)),
    ...section('Came closest', closestLines(goal)),
    ...section('Next', [...promotionLines(lemmas), ...nextLines(goal)]),
  ];
  return `${lines.map((line) => linesForPeople(cut(line, columns))).join('\n')}\n`;
}

const columns = 100;
const runsShown = 4;

function headOf(goal: GoalDetail): string[] {
  const { goal: name, status, reason, source, refuted, run, attempts, cpu_seconds, difficulty, runs } = goal;
  const others = runs.filter((each) => each.run !== run);
  return [
    `${name}: ${status}${reason === null || reason === status ? '' : ` (${reason})`}`,
    ...(source === null ? [] : [`  ${source}`]),
    ...clipped(statementLines(goal), 5),
    ...(refuted === null ? [] : [`  false; counterexample: ${firstLine(refuted)}`]),
    `  run ${run} · ${plural(attempts, 'attempt')} · ${cpu_seconds.toFixed(1)} CPU-s · difficulty ${difficulty.toFixed(2)}`,
    ...(isLimited(reason)
      ? ['  the limit is in seconds of a reference machine; CPU-s are measured on this one']
      : []),
    ...(others.length === 0
      ? []
      : [
          `  in other runs: ${others
            .slice(0, runsShown)
            .map((each) => `${each.status} (${each.cpu_seconds.toFixed(1)} CPU-s)`)
            .join(', ')}`,
        ]),
  ];
}

/** Whether the goal was given up at its CPU limit. */
const isLimited = (reason: string | null): boolean => reason?.includes('--goal-cpu') === true;

function section(title: string, lines: readonly string[]): string[] {
  const shown = lines.filter((line) => line.trim() !== '');
  return shown.length === 0 ? [] : [title, ...shown.map((line) => `  ${line}`)];
}

function clipped(lines: readonly string[], most: number): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most - 1), '  …'];
}

/** One line per arm: its attempts, the outcome of the last one, and Lean's message. */
function triedLines({ attempt_rows, cpu_seconds: inAll }: GoalDetail): string[] {
  const arms = [...Map.groupBy(attempt_rows, ({ arm }) => arm)].map(([arm, rows]) => {
    const last = rows.at(-1);
    const cost = rows.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0);
    const times = rows.length === 1 ? '' : ` ×${rows.length}`;
    return `${(arm + times).padEnd(22)} ${(last?.outcome ?? '').padEnd(9)} ${cost.toFixed(1).padStart(6)} CPU-s  ${firstLine(last?.error ?? '')}`;
  });
  const inAttempts = attempt_rows.reduce((sum, row) => sum + row.cpu_seconds, 0);
  const around = `${'opening and judging'.padEnd(32)} ${(inAll - inAttempts).toFixed(1).padStart(6)} CPU-s`;
  return arms.length === 0 ? [] : [...clipped(arms, 10), around];
}

/** Those in the proof first; each with its ticket and the goal's share of its cost. */
function lemmaLines(lemmas: readonly HelperLemma[]): string[] {
  const lines = lemmas
    .toSorted((one, two) => Number(two.is_in_proof) - Number(one.is_in_proof))
    .flatMap(({ ticket, cpu_seconds, is_in_proof }) => {
      const { ticket_id, status, goal, counterexample } = ticket;
      const state = is_in_proof ? 'in the proof' : status;
      return [
        `${state.padEnd(12)} ${cpu_seconds.toFixed(1).padStart(6)} CPU-s  ${ticket_id}`,
        `  ${oneLine(goal)}`,
        ...(counterexample === null ? [] : [`  false; counterexample: ${oneLine(counterexample)}`]),
      ];
    });
  return clipped(lines, 9);
}

function promotionLines(lemmas: readonly HelperLemma[]): string[] {
  return lemmas.some(({ is_in_proof }) => is_in_proof)
    ? [asTyped('orch ship --promote ships the proof with its helper lemmas as theorems')]
    : [];
}

/** The script that left the fewest goals, with those goals. */
function closestLines({ attempt_rows, proofs, topic }: GoalDetail): string[] {
  if (proofs.length > 0 || topic === 'arc') return [];
  const closest = attempt_rows
    .filter(({ tactics, next_goals }) => tactics.length > 0 && next_goals.length > 0)
    .toSorted((one, two) => one.next_goals.length - two.next_goals.length)[0];
  if (closest === undefined) return [];
  return [
    ...clipped(
      closest.tactics.flatMap((tactic) => tactic.split('\n')),
      5,
    ),
    `left ${plural(closest.next_goals.length, 'goal')}:`,
    ...clipped((closest.next_goals[0] ?? '').split('\n'), 5),
  ];
}

function nextLines({ goal, run, status, topic, reason }: GoalDetail): string[] {
  const name = quoted(goal);
  const more = `orch why ${name} --full shows every decision and attempt`;
  if (topic === 'arc' || status === 'solved') return [asTyped(more)];
  const steps =
    status === 'refuted'
      ? ['the statement is false: correct it, or remove it']
      : [
          status === 'stopped'
            ? 'orch resume continues the run'
            : isLimited(reason)
              ? `orch retry ${name} --run ${run} --goal-cpu 80 tries it again with a larger limit`
              : `orch retry ${name} --run ${run} --profile 1 tries it again with more strategies`,
        ];
  return [...steps, more].map((step) => asTyped(step));
}

/** An ARC task is best seen as pictures; `--json` prints it for programs. */
function statementLines({ statement, topic }: GoalDetail): string[] {
  if (topic === 'arc') return ['  an ARC task; orch dashboard draws it, --json prints it'];
  return statement
    .replace(/^(?:\s|\/--[\s\S]*?-\/)+/, '')
    .split('\n')
    .map((line) => `  ${line}`);
}

/** Every decision, attempt and verdict. */
export function goalInFull(goal: GoalDetail, lemmas: readonly HelperLemma[] = []): string {
  const bought = boughtRows(goal.attempt_rows).map(([name, figure]) => `${name} ${figure}`);
  const lines = [
    `${goal.goal}: ${goal.status}${goal.reason === null || goal.reason === goal.status ? '' : ` (${goal.reason})`}`,
    ...(goal.source === null ? [] : [`  ${goal.source}`]),
    ...statementLines(goal),
    ...(goal.refuted === null ? [] : [`  false; counterexample: ${goal.refuted}`]),
    `  run ${goal.run} · difficulty ${goal.difficulty.toFixed(2)} · priority ${goal.priority.toFixed(2)} · ${plural(goal.attempts, 'attempt')} · ${goal.cpu_seconds.toFixed(1)} CPU-s`,
    ...(bought.length === 0 ? [] : [`  model cost: ${bought.join(' · ')}`]),
    ...section('Helper lemmas', lemmaLines(lemmas)),
  ];
  const trail = [
    ...goal.slates.map((slate) => ({
      at: slate.at,
      lines: [
        `${time(slate.at)}  ${slate.slot} slate, ${slate.reason}; up to ${slate.limits.cpu_seconds.toFixed(1)} CPU-s in total`,
        ...slate.arms.map((choice) => `            ${choice.arm.padEnd(18)} ${groundsOf(choice)}`),
      ],
    })),
    ...goal.attempt_rows.map((row) => ({
      at: row.started,
      lines: [
        `${time(row.started)}  ${row.arm}: ${row.outcome}, ${row.cpu_seconds.toFixed(1)} CPU-s${row.error === null ? '' : `: ${firstLine(row.error)}`}`,
        ...modelLines(row),
        `            ${invocation()} replay ${row.attempt}`,
      ],
    })),
    ...goal.verdicts.map(({ at, verdict, kind, message, proof }) => ({
      at,
      lines: [
        `${time(at)}  the gate: ${verdict}${verdict === 'accepted' ? '' : ` (${kind}: ${firstLine(message)})`}`,
        ...proof.split('\n').map((line) => `            ${line}`),
      ],
    })),
  ].sort((first, second) => first.at - second.at); // stable: a slate comes before its attempts
  const all = [...lines, ...trail.flatMap((step) => step.lines.map((line) => `  ${line}`))];
  return `${all.map(linesForPeople).join('\n')}\n`;
}

/** The basis on which an arm was chosen. */
function groundsOf({ score, mean, trials, seconds }: ArmChoice): string {
  // a fixed order: the arm has a position, not an estimate
  if (mean === 0 && trials === 0) return `position ${Math.round(1 / score)} in the fixed order`;
  return seconds === undefined
    ? `score ${score.toFixed(2)} = mean ${mean.toFixed(2)} + exploration after ${trials} trials`
    : `score ${score.toFixed(2)} = chance ${mean.toFixed(2)} ÷ ${seconds.toFixed(2)} CPU-s, from ${plural(trials, 'attempt')} on other goals`;
}

/** Which model was asked with which prompts, the cost, and the outcomes of its answers. */
function modelLines({ model, input_tokens, output_tokens, microdollars }: AttemptRow): string[] {
  if (model === null) return [];
  const { name, prompts, calls, recorded, said } = model;
  const asked = prompts.map((one) => `${one.name}@${one.version}`).join(', ') || 'nothing';
  const cost = `${calls} calls, ${recorded} recorded, ${input_tokens} + ${output_tokens} tokens, ${formatDollars(microdollars)}`;
  return [`asked ${name} (${asked}): ${cost}`, ...said].map((line) => `            ${line}`);
}

const time = (at: number): string => new Date(at).toISOString().slice(11, 19);
const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
