import { UserError } from '../../core/errors.ts';
import { failed, success, type Result } from '../../core/result.ts';
import type { Blueprint } from '../../lean/blueprint/blueprint.ts';
import { coverageByChapter } from '../../lean/blueprint/coverage.ts';
import { criticalNodes, criticalPath } from '../../lean/blueprint/critical.ts';
import { blueprintOf } from '../../lean/blueprint/read.ts';
import { findRemarks } from '../../lean/blueprint/remarks.ts';
import { stateBlueprint } from '../../lean/blueprint/states.ts';
import { escaped } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';
import { supportOf } from './features.ts';
import type { ProjectFacts, Survey } from './survey.ts';

const mostLines = 10;

/** The state of a project: its goals, its blueprint, what to do first, and what blocks orch. Does not start Lean. */
export function firstReport(project: ProjectFacts, { git }: Survey): string {
  const blocks = supportOf(project, git, process.env['PATH'])
    .filter(({ state }) => state === 'no' || state === 'native')
    .map(({ name, detail }) => `${name}: ${detail}`);
  const blueprint = blueprintReport(project);
  return [
    escaped`First report on ${project.name}\n`,
    goalsReport(project),
    ...blueprint.lines,
    ...listed('what blocks', [...blocks, ...blueprint.blocks], 'nothing'),
  ].join('');
}

function goalsReport({ open }: ProjectFacts): string {
  const total = open.reduce((sum, { count }) => sum + count, 0);
  const files = open
    .toSorted((one, other) => other.count - one.count)
    .map(({ file, count }) => `${file}: ${count}`);
  const title = `goals: ${plural(total, 'sorry')} in ${plural(open.length, 'file')}, counted in the source text (orch goals gives exact goals)`;
  return listed(title, files).join('');
}

function blueprintReport({ blueprintIn }: ProjectFacts): { lines: string[]; blocks: string[] } {
  if (blueprintIn === undefined)
    return {
      lines: ['  coverage: no blueprint\n'],
      blocks: ['no blueprint, so dependencies are unknown'],
    };
  const read = readable(blueprintIn);
  if (!read.ok)
    return {
      lines: ['  coverage: unknown\n'],
      blocks: [`the blueprint cannot be read: ${read.error.message}`],
    };
  const stated = stateBlueprint(read.value);
  const { total } = coverageByChapter(stated);
  const path = criticalPath(stated).map(({ id }) => id);
  const ready = criticalNodes(stated)
    .filter(({ waits }) => waits === 0)
    .map(({ statement }) => statement.id);
  const remarks = findRemarks(stated).map(({ message }) => message);
  return {
    lines: [
      `  coverage: ${plural(total.nodes, 'node')}, ${total.stated} stated, ${total.proved} of ${total.proofs} proved, ${total.fully_proved} fully\n`,
      escaped`  critical path: ${path.length === 0 ? 'everything is proved' : path.join(' → ')}\n`,
      ...listed('can be worked on now', ready, 'nothing'),
    ],
    blocks: remarks,
  };
}

function readable(folder: string): Result<Blueprint> {
  try {
    const found = blueprintOf(folder);
    if (found) return success(found);
    return failed({
      kind: 'no-blueprint',
      message: 'orch looks for blueprint/src/web.tex and content.tex',
    });
  } catch (error) {
    if (error instanceof UserError) return failed({ kind: error.code, message: error.message });
    throw error;
  }
}

function listed(title: string, lines: readonly string[], none?: string): string[] {
  const more = lines.length - mostLines;
  if (lines.length === 0) return [none === undefined ? `  ${title}\n` : `  ${title}: ${none}\n`];
  return [
    `  ${title}${none === undefined ? '' : ':'}\n`,
    ...lines.slice(0, mostLines).map((line) => escaped`    ${line}\n`),
    ...(more > 0 ? [`    and ${more} more\n`] : []),
  ];
}
