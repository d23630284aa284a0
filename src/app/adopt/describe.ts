import { alignColumns } from '../../reporters/format.ts';
import { plural } from '../../shared/plural.ts';
import { escaped, harmless } from '../../shared/for-people.ts';
import { supportOf, featureWords } from './features.ts';
import type { GitFacts } from './git-facts.ts';
import type { AdoptPlan } from './plan.ts';
import type { ProjectFacts, Survey } from './survey.ts';

/**
 * The findings and the files that would be written, as text. Names come from the checkout, so they are escaped.
 */
export function describeSurvey({ root, git, projects, nested, workflows }: Survey): string {
  const rows = [
    ['repository', git === undefined ? `${root} (no git)` : root],
    ...(git === undefined ? [] : gitRows(git)),
    ['workflows', workflows.size === 0 ? 'none' : [...workflows.keys()].join(', ')],
    ...(nested.length === 0 ? [] : [['not adopted', `Lake projects inside: ${nested.join(', ')}`]]),
  ];
  return [alignColumns(rows), ...projects.map(describeProject)].join('\n');
}

function gitRows({ branch, main, base, branches, remote }: GitFacts): string[][] {
  return [
    ['branch', branch ?? 'none (a commit is checked out)'],
    ['branches', `main is ${main}; proofs go to ${base}; ${branches.length} in total`],
    ['remote', remote === null ? 'none' : `${remote.name} ${remote.url}`],
  ];
}

function describeProject(project: ProjectFacts): string {
  const { name, place, lakefile, libraries, toolchain, requires, absent, files, blueprintIn, folder } =
    project;
  const packages = requires.length === 0 ? 'none' : requires.join(', ');
  return alignColumns([
    ['project', `${name}${place === '' ? '' : ` in ${place}`} (${lakefile})`],
    ['libraries', libraries.join(', ') || 'none'],
    ['toolchain', toolchain ?? 'no lean-toolchain'],
    ['requires', absent.length === 0 ? packages : `${packages} (not on this disk: ${absent.join(', ')})`],
    ['Lean files', String(files)],
    [
      'blueprint',
      blueprintIn === undefined
        ? 'none'
        : blueprintIn === folder
          ? 'blueprint/src'
          : `${blueprintIn}/blueprint/src`,
    ],
  ]);
}

export function describeFeatures(survey: Survey): string {
  return survey.projects
    .map((project) => {
      const rows = supportOf(project, survey.git, process.env['PATH']);
      const title =
        survey.projects.length === 1 ? 'What works here' : escaped`What works in ${project.place}`;
      return `${title}\n${alignColumns(rows.map(({ name, state, detail }) => [`  ${name}`, featureWords[state], detail]))}`;
    })
    .join('\n');
}

/** One line per new file; with `diff`, also every line that it would get. */
export function describePlan({ files, notes }: AdoptPlan, { diff }: { diff: boolean }): string {
  const fresh = files.filter(({ state }) => state === 'new');
  const there = files.filter(({ state }) => state === 'same');
  const rows = fresh.map(({ file, text }) => [
    'new',
    file,
    plural(text.trimEnd().split('\n').length, 'line'),
    purposeOf(file),
  ]);
  return [
    ...(diff
      ? fresh.map(({ file, text }) => `${escaped`new  ${file}`}\n${added(text)}\n`)
      : rows.length === 0
        ? []
        : [alignColumns(rows, ['left', 'left', 'right', 'left'])]),
    ...there.map(({ file }) => escaped`kept  ${file}  (orch's, unchanged)\n`),
    ...notes.map((note) => escaped`kept  ${note}\n`),
  ].join('');
}

/** What a new file is for, by the end of its name. */
const purposes: Readonly<Record<string, string>> = {
  '.orch/.gitignore': 'keeps the ledger and caches out of git',
  'orch.toml': 'settings, all commented out',
  Makefile: 'short names for common commands',
  'orch-ci.yml': 'on pushes and pull requests: build, judge changes, check the blueprint',
  'orch-docs.yml': 'on the main branch: blueprint and Lean documentation as web pages',
  'orch-heavy.yml': 'on the label needs-cloud: more time for stuck goals',
  'orch-sweep.yml': 'nightly: work on every open goal',
  'PULL_REQUEST_TEMPLATE.md': 'what a pull request reports',
};

function purposeOf(file: string): string {
  return Object.entries(purposes).find(([name]) => file.endsWith(name))?.[1] ?? '';
}

function added(text: string): string {
  return harmless(text.replaceAll(/^(?=.)/gm, '+ '));
}
