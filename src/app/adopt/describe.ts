import { alignColumns } from '../../reporters/format.ts';
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

export function describePlan({ files, notes }: AdoptPlan): string {
  const fresh = files.filter(({ state }) => state === 'new');
  const there = files.filter(({ state }) => state === 'same');
  return [
    ...fresh.map(
      ({ file, text }) => `${escaped`new  ${file}`}
${added(text)}
`,
    ),
    ...there.map(({ file }) => escaped`kept  ${file}  (orch's, unchanged)\n`),
    ...notes.map((note) => escaped`kept  ${note}\n`),
  ].join('');
}

function added(text: string): string {
  return harmless(text.replaceAll(/^(?=.)/gm, '+ '));
}
