import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { against, filled, fillingFor, workflowKinds, type Filling, type ScaffoldFile } from '../scaffold.ts';
import { isEmbedded } from './features.ts';
import type { ProjectFacts, Survey } from './survey.ts';

/** The files that adopting a project would create. Existing files are never changed. */
export interface AdoptPlan {
  readonly project: ProjectFacts;
  /** From the top of the repository. */
  readonly files: readonly ScaffoldFile[];
  /** Files that are left out, each with the reason. */
  readonly notes: readonly string[];
}

type WorkflowKind = (typeof workflowKinds)[number];

/** How to recognise an existing workflow that already does this. */
const does: Readonly<Record<WorkflowKind, { readonly what: string; readonly pattern: RegExp }>> = {
  ci: { what: 'judges changes with orch', pattern: /\borch check\b/ },
  docs: {
    what: 'publishes the blueprint or documentation',
    pattern: /leanblueprint|plastex|docgen-action|doc-gen4|deploy-pages/,
  },
  heavy: { what: 'works on stuck goals', pattern: /\borch sweep\b[^\n]*--stuck|\borch run \./ },
  sweep: { what: 'runs the nightly sweep', pattern: /^(?![\s\S]*--stuck)[\s\S]*\borch sweep\b/ },
};

export function planAdoption(survey: Survey): AdoptPlan[] {
  return survey.projects.map((project, index) => planFor(project, survey, index === 0));
}

function planFor(project: ProjectFacts, survey: Survey, isFirst: boolean): AdoptPlan {
  const { root } = survey;
  const notes: string[] = [];
  const filling = fillingOf(project, survey);
  const inProject = (name: string): string => (project.place === '' ? name : `${project.place}/${name}`);
  const wanted: { file: string; text: string }[] = [
    // in a separate .gitignore, because the project's is not changed
    { file: inProject('.orch/.gitignore'), text: '*\n' },
  ];
  const settings = filled('orch.example.toml', fillingFor(emptyProject));
  if (!isOther(root, inProject('orch.toml'), settings, notes))
    wanted.push({ file: inProject('orch.toml'), text: settings });
  if (filling === undefined)
    notes.push(
      'Makefile and workflows: left out. A name of this project (folder, package, library or branch) has characters that a shell or a workflow could read as code.',
    );
  else {
    const makefile = ['Makefile', 'makefile', 'GNUmakefile'].find((name) =>
      existsSync(path.join(project.folder, name)),
    );
    const own = filled('scaffold/Makefile', filling);
    if (makefile === undefined || !isOther(root, inProject(makefile), own, notes))
      wanted.push({ file: inProject('Makefile'), text: own });
    wanted.push(
      ...workflowsFor(project, survey, filling, notes),
      ...(isFirst ? templateFor(survey, filling, notes) : []),
    );
  }
  return { project, files: wanted.map(({ file, text }) => against(root, file, text)), notes };
}

/** A file of this name exists that orch did not write: it is kept, and the plan reports that. */
function isOther(root: string, file: string, text: string, notes: string[]): boolean {
  const { state } = against(root, file, text);
  if (state === 'different') notes.push(`${file}: exists and is not changed.`);
  return state === 'different';
}

const ownName = new RegExp(`orch-(?:${workflowKinds.join('|')})\\.yml$`);

function workflowsFor(
  project: ProjectFacts,
  { root, git, workflows }: Survey,
  filling: Filling,
  notes: string[],
): { file: string; text: string }[] {
  const why = whyNoWorkflows(root, git);
  if (why !== undefined) {
    notes.push(`Workflows: left out. ${why}`);
    return [];
  }
  return workflowKinds.flatMap((kind) => {
    const file = `.github/workflows/${filling.values['slug'] ?? ''}orch-${kind}.yml`;
    const text = filled(`scaffold/github/workflows/${kind}.yml`, filling);
    const theirs = [...workflows].find(([name, one]) => !ownName.test(name) && does[kind].pattern.test(one));
    if (theirs) notes.push(`${file}: not needed. ${theirs[0]} ${does[kind].what}.`);
    else if (kind === 'docs' && project.blueprintIn !== project.folder)
      notes.push(`${file}: left out. The project's folder has no blueprint.`);
    else if (!isOther(root, file, text, notes)) return [{ file, text }];
    return [];
  });
}

function whyNoWorkflows(root: string, git: Survey['git']): string | undefined {
  if (git === undefined) return 'This is not a git repository.';
  const isElsewhere =
    git.remote !== null && git.repository === null && /^(?:\w+:\/\/|[^/]+@)/.test(git.remote.url);
  return isElsewhere && !existsSync(path.join(root, '.github'))
    ? `They are for GitHub, and ${git.remote.name} is ${git.remote.url}.`
    : undefined;
}

function templateFor(
  { root, git }: Survey,
  filling: Filling,
  notes: string[],
): { file: string; text: string }[] {
  if (whyNoWorkflows(root, git) !== undefined) return [];
  const file = '.github/PULL_REQUEST_TEMPLATE.md';
  const text = filled('scaffold/github/PULL_REQUEST_TEMPLATE.md', filling);
  const places = ['.', 'docs', '.github'].map((folder) => path.join(root, folder));
  const theirs = places
    .flatMap((folder) =>
      existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [],
    )
    .find((one) => /^pull_request_template(?:\.|$)/i.test(path.basename(one)));
  if (theirs === undefined) return [{ file, text }];
  const name = path.relative(root, theirs);
  return isOther(root, name, text, notes) ? [] : [{ file: name, text }];
}

/** Letters, digits and a few marks that have no meaning in YAML, a shell or GitHub's expressions. */
const plainPath = /^(?:[\p{L}\p{N}_.][\p{L}\p{N}_.+ -]*(?:\/|$))*$/u;
const plainWord = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;

function fillingOf(project: ProjectFacts, { projects, git, workflows }: Survey): Filling | undefined {
  const { name, libraries, place, requires } = project;
  const [main, base] = [git?.main ?? 'main', git?.base ?? 'main'];
  const words = [name, ...libraries];
  const paths = [main, base, place];
  if (
    !words.every((word) => plainWord.test(word)) ||
    !paths.every((one) => plainPath.test(one) && !/ (?:\/|$)/.test(one))
  )
    return undefined;
  const slug = projects.length === 1 ? '' : `${place.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-`;
  const isBuilt = [...workflows].some(
    ([file, text]) => !ownName.test(file) && /lean-action|\blake build\b/.test(text),
  );
  return fillingFor({
    ...project,
    main,
    base,
    slug,
    mathlib: requires.includes('mathlib'),
    copilot: false,
    build: !isBuilt,
    embedded: isEmbedded(project),
    native: requires.length > 0 || project.hasNativeCode || !isEmbedded(project),
    packages: requires.length > 0,
  });
}

const emptyProject = {
  name: '',
  libraries: [],
  main: '',
  base: '',
  place: '',
  slug: '',
  mathlib: false,
  copilot: false,
  build: false,
  embedded: false,
  native: false,
  packages: false,
};
