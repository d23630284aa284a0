import { diffArrays } from 'diff';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../config/package.ts';
import { isPlainFile, isTaken } from '../io/new-files.ts';

export interface ScaffoldChoice {
  /** Name of the Lake package. */
  readonly name: string;
  readonly mathlib: boolean;
  readonly copilot: boolean;
  /** Only the files for agents, in an existing project. */
  readonly agents?: boolean;
}

/** A file that orch would create, and the file that already has its name. */
export interface ScaffoldFile {
  /** Relative to the repository. */
  readonly file: string;
  readonly text: string;
  readonly state: 'new' | 'same' | 'different';
  /** The existing text, which stays; null if there is none, or it is not a plain file. */
  readonly before: string | null;
}

/** The Lean version that a new repository pins: the release of the embedded Lean. */
const leanRelease = 'v4.28.0';

/** The files of a formalisation repository (`scaffold/`), filled in, compared with a folder's content. */
export function planScaffold(folder: string, choice: ScaffoldChoice): readonly ScaffoldFile[] {
  const library = libraryName(choice.name);
  const filling = fillingFor({
    name: choice.name,
    libraries: [library],
    main: 'main',
    base: 'dev',
    place: '',
    slug: '',
    mathlib: choice.mathlib,
    copilot: choice.copilot,
    build: true,
    embedded: true,
    native: choice.mathlib || choice.copilot,
    packages: choice.mathlib || choice.copilot,
  });
  return (choice.agents ? agentFiles() : filesFor(library, choice)).map((template) =>
    against(folder, template.file, filled(template.source, filling)),
  );
}

/** A file that would be created, and the existing file of that name. */
export function against(folder: string, file: string, text: string): ScaffoldFile {
  if (!isTaken(folder, file)) return { file, text, before: null, state: 'new' };
  const before = isPlainFile(folder, file) ? readFileSync(path.join(folder, file), 'utf8') : null;
  return { file, text, before, state: before === text ? 'same' : 'different' };
}

/** Values for the templates. */
export interface Filling {
  readonly values: Readonly<Record<string, string>>;
  readonly conditions: Readonly<Record<string, boolean>>;
}

/** The project that the files are for. Its names are plain, because they become part of workflows and shell commands. */
export interface TemplateProject {
  readonly name: string;
  readonly libraries: readonly string[];
  readonly main: string;
  readonly base: string;
  /** From the top of the repository; empty at the top. */
  readonly place: string;
  /** Prefix of workflow and artifact names in a repository with several projects. */
  readonly slug: string;
  readonly mathlib: boolean;
  readonly copilot: boolean;
  /** Whether orch's CI workflow builds the project. */
  readonly build: boolean;
  /** Whether it uses the version of the embedded Lean. */
  readonly embedded: boolean;
  /** Whether sweeps use the project's own Lean, with what Lake has built or fetched. */
  readonly native: boolean;
  readonly packages: boolean;
}

const quoted = (text: string): string => JSON.stringify(text);

export function fillingFor(project: TemplateProject): Filling {
  const { name, libraries, main, base, place, slug, mathlib, copilot, build, embedded, native, packages } =
    project;
  const below = place === '' ? '' : `${place}/`;
  const branches = [...new Set([main, base])];
  return {
    values: {
      name,
      library: libraries[0] ?? name,
      lean: leanRelease,
      prefix: slug === '' ? '' : `${name} `,
      slug,
      main: quoted(main),
      base: quoted(base),
      branches: `[${branches.map(quoted).join(', ')}]`,
      place: quoted(place === '' ? '.' : place),
      path: below,
      paths: `[${[`${below}**/*.lean`, `${below}blueprint/**`].map(quoted).join(', ')}]`,
      targets: libraries.map((library) => `${library}:docs`).join(' '),
    },
    conditions: { mathlib, copilot, build, embedded, native, packages, subfolder: place !== '' },
  };
}

export function filled(source: string, { values, conditions }: Filling): string {
  return fill(readFileSync(path.join(packageRoot, source), 'utf8'), values, conditions);
}

function filesFor(library: string, { mathlib, copilot }: ScaffoldChoice): { file: string; source: string }[] {
  return [
    from('lean-toolchain'),
    from('lakefile.toml'),
    // with dependencies, Lake must write the manifest, because it pins commits
    ...(mathlib || copilot ? [] : [from('lake-manifest.json')]),
    from('Library.lean', `${library}.lean`),
    from('Basic.lean', `${library}/Basic.lean`),
    from('gitignore', '.gitignore'),
    from('Makefile'),
    ...blueprintFiles(),
    ...workflowKinds.map((name) => from(`github/workflows/${name}.yml`, `.github/workflows/${name}.yml`)),
    from('github/dependabot.yml', '.github/dependabot.yml'),
    from('github/PULL_REQUEST_TEMPLATE.md', '.github/PULL_REQUEST_TEMPLATE.md'),
    { file: '.env.example', source: '.env.example' },
    { file: 'orch.toml', source: 'orch.example.toml' },
  ];
}

export const workflowKinds = ['ci', 'docs', 'heavy', 'sweep'] as const;

function blueprintFiles(): { file: string; source: string }[] {
  return ['web.tex', 'print.tex', 'content.tex', 'plastex.cfg', 'latexmkrc'].map((name) =>
    from(`blueprint/src/${name}`),
  );
}

const agentNames = [
  'proof-writer',
  'reviewer',
  'verifier',
  'refactorer',
  'golfer',
  'blueprint-updater',
  'search-coordinator',
];
const commandNames = ['prove', 'goals', 'check'];

/** Files for Claude Code: the MCP server, agents with their tools, commands, hooks. */
function agentFiles(): { file: string; source: string }[] {
  return [
    from('agents/mcp.json', '.mcp.json'),
    from('agents/settings.json', '.claude/settings.json'),
    ...agentNames.map((name) => from(`agents/agents/${name}.md`, `.claude/agents/${name}.md`)),
    ...commandNames.map((name) => from(`agents/commands/${name}.md`, `.claude/commands/${name}.md`)),
  ];
}

const from = (source: string, file = source): { file: string; source: string } => ({
  file,
  source: `scaffold/${source}`,
});

/** A valid name of a Lean module: `my-project` becomes `MyProject`. */
export function libraryName(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const joined = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  return /^\p{L}/u.test(joined) ? joined : `Project${joined}`;
}

/** `{{name}}` is replaced; lines between `{{#when}}` and `{{/when}}` stay if it holds. Other braces are left alone. */
function fill(
  template: string,
  values: Readonly<Record<string, string>>,
  conditions: Readonly<Record<string, boolean>>,
): string {
  const block = /^(?:# )?\{\{#(\w+)\}\}\n([\s\S]*?)^(?:# )?\{\{\/\1\}\}\n/gm;
  const chosen = template.replaceAll(block, (_, when: string, lines: string) =>
    conditions[when] ? lines : '',
  );
  // blocks can be nested
  if (chosen !== template) return fill(chosen, values, conditions);
  return chosen
    .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
    .replace(/^#:schema .*\n/, '');
}

/** Only the removed and added lines. */
export function lineDiff(before: string, after: string): string {
  return diffArrays(before.split('\n'), after.split('\n'))
    .filter(({ added, removed }) => added || removed)
    .flatMap(({ added, value }) => value.map((line) => `${added ? '+' : '-'} ${line}`))
    .join('\n');
}
