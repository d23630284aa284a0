import { appendFileSync } from 'node:fs';
import type { GoalClosed, RunEvent } from '../shared/events.ts';
import { noColours } from './colour.ts';
import { byStrategy, RunSoFar } from './record.ts';
import type { ReporterFacts, Reporter, Streams } from './reporter.ts';
import { cpu, failures, goalLine, summaryLine } from './summary.ts';
import { cut, oneLine } from './width.ts';
import { harmless as harmlessText } from '../shared/for-people.ts';

/** GitHub limits a summary to 1 MiB; a row has at most about 500 characters. */
const mostRows = 500;

/** Workflow commands of GitHub Actions on stderr, the summary on stdout, a Markdown page in $GITHUB_STEP_SUMMARY. */
export function githubReporter({ stdout, stderr }: Streams, { environment }: ReporterFacts): Reporter {
  const record = new RunSoFar();
  const talk = (text: string): void => void stderr.write(harmless(text));
  const command = (name: string, message: string, properties: Properties = {}): void =>
    void stderr.write(workflowCommand(name, message, properties));
  const end = (): void => {
    const unsolved = failures(record);
    command('endgroup', '');
    for (const goal of unsolved) {
      const source = record.goals.get(goal.goal)?.added.source ?? null;
      command('error', goal.reason, { ...placeOf(source), title: `${goal.goal} is not solved` });
    }
    command('notice', summaryLine(record), { title: 'orch' });
    const page = environment['GITHUB_STEP_SUMMARY'];
    if (page) appendFileSync(page, markdown(record, unsolved));
    stdout.write(`${harmless(summaryLine(record))}\n`);
  };
  return {
    name: 'github',
    event(event: RunEvent) {
      record.apply(event);
      if (event.type === 'run-started') command('group', `orch ${event.command}`);
      if (event.type === 'goal-closed' && record.goals.has(event.goal))
        talk(`${goalLine(event, 160, noColours)}\n`);
      if (event.type === 'note')
        command({ info: 'debug', warning: 'warning', error: 'error' }[event.level], event.text);
      if (event.type === 'run-finished') end();
    },
    talk,
    close: () => undefined,
  };
}

type Properties = Readonly<Record<string, string | number>>;

/** `::error file=a.lean,line=3::message`; what would end a message or a property is escaped. */
export function workflowCommand(name: string, message: string, properties: Properties = {}): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${name}${list.length > 0 ? ` ${list.join(',')}` : ''}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return harmlessText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Escapes text so that it contains no workflow commands. The runner reads `::name::` at the start of a line and the older `##[name]` anywhere, and foreign text must not trigger them.
 */
function harmless(text: string): string {
  return text.replaceAll(/^(\s*)::/gm, '$1: :').replaceAll('##[', '# #[');
}

/** `Some/File.lean:12` → the position of the annotation. */
function placeOf(source: string | null): Properties {
  const [, file, line] = /^(.+):(\d+)$/.exec(source ?? '') ?? [];
  if (file === undefined || line === undefined) return source === null ? {} : { file: source };
  return { file, line };
}

function markdown(record: RunSoFar, unsolved: readonly GoalClosed[]): string {
  const strategies = [...byStrategy(record.arms.values())].map(
    ([name, { attempts, solved, cpuSeconds }]) =>
      `| ${cell(name)} | ${attempts} | ${solved.size} | ${cpu(cpuSeconds)} |`,
  );
  const rows = unsolved
    .slice(0, mostRows)
    .map(
      (goal) => `| ${cell(goal.goal)} | ${goal.attempts} | ${cpu(goal.cpu_seconds)} | ${cell(goal.reason)} |`,
    );
  const left = unsolved.length - rows.length;
  return [
    '## orch',
    '',
    cell(summaryLine(record)),
    '',
    ...(rows.length === 0
      ? []
      : ['### Not solved', '', '| goal | attempts | CPU-s | why |', '|---|--:|--:|---|', ...rows, '']),
    ...(left > 0 ? [`…and ${left} more`, ''] : []),
    '### Strategies',
    '',
    '| strategy | attempts | solved | CPU-s |',
    '|---|--:|--:|--:|',
    ...strategies,
    '',
    '',
  ].join('\n');
}

/** Escapes foreign text in a table cell: no markup, no cell separator, no line break. */
function cell(text: string): string {
  return cut(oneLine(text), 200)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]()#|~!@]/g, (mark) => `&#${mark.codePointAt(0)};`);
}
