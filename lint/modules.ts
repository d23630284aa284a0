/**
 * The modules of `src` and what each may import. `lint/one-way.ts` enforces this list, and the table and the drawing in
 * docs/ARCHITECTURE.md are generated from it.
 */
export interface Module {
  /** The folder; a file belongs to the innermost module that holds it. */
  readonly folder: string;
  readonly contains: string;
  /** Folders it may import from, besides itself. A folder stands for everything below it. */
  readonly mayImport: readonly string[];
}

type Layer = readonly [name: string, contains: string];

/** Folders from low to high: each may import those before it, and what the whole module may import. */
function layers(parent: string, outside: readonly string[], all: readonly Layer[]): Module[] {
  const folders = all.map(([name]) => (name === '.' ? parent : `${parent}/${name}`));
  return all.map(([, contains], index) => ({
    folder: folders[index] ?? parent,
    contains,
    mayImport: [...folders.slice(0, index), ...outside],
  }));
}

const below = (...names: readonly string[]): string[] => names.map((name) => `src/${name}`);

const lean = below('remote', 'models', 'store', 'io', 'config', 'core', 'kernel', 'shared');
const arc = below('models', 'store', 'io', 'config', 'core', 'shared');

export const modules: readonly Module[] = [
  { folder: 'src/shared', contains: 'schemas and types that modules and the dashboard share', mayImport: [] },
  { folder: 'src/kernel', contains: 'the second kernel: pure functions over exports', mayImport: [] },
  {
    folder: 'src/core',
    contains: 'errors, clock, events, scheduler, bandit, throttle; knows no domain',
    mayImport: below('shared'),
  },
  {
    folder: 'src/config',
    contains: 'every setting with its default; trust',
    mayImport: below('core', 'shared'),
  },
  {
    folder: 'src/io',
    contains: 'processes, git, GitHub, lines, locks, built files, log',
    mayImport: below('config', 'core', 'shared'),
  },
  {
    folder: 'src/store',
    contains: 'the only module that opens databases: ledger, premises, scripts, queue, ARC memory',
    mayImport: below('io', 'core', 'shared'),
  },
  {
    folder: 'src/models',
    contains: 'language models behind one interface',
    mayImport: below('io', 'core', 'shared'),
  },
  {
    folder: 'src/remote',
    contains: 'goals worked on by other machines; knows no domain',
    mayImport: below('store', 'core', 'shared'),
  },
  ...layers('src/lean', lean, [
    ['base', 'names, options, headers, positions, protocol'],
    ['toolchain', 'embedded and native Lean; one worker process'],
    ['project', 'modules, Lake, environments, builds'],
    ['workers', 'leases, the pool, environments of workers'],
    ['goals', 'reading goals out of files and rows'],
    ['second-kernel', 'the second kernel in a thread, with its library data'],
    ['gate', 'the authority: every proof is judged here'],
    ['workbench', 'an opened goal: states, steps and candidates'],
    ['premises', 'retrieval of theorems'],
    ['search', 'proof search, equations, counterexamples'],
    ['market', 'tickets for helper lemmas'],
    ['blueprint', 'blueprints and the state of their nodes'],
    ['writing', 'the one writer of Lean files; files followed while a run goes on'],
    ['cache', 'scripts of earlier goals'],
    ['improve', 'polish, golf, clinic'],
    ['strategies', 'the arms; a new strategy goes here'],
    ['ship', 'branches and pull requests'],
    ['promotion', 'finished helper lemmas as theorems of a project'],
    ['dialects', 'the protocols of other tools'],
    ['remote', "a remote worker's answers in Lean's terms"],
    ['.', 'the Lean domain, as the engine sees it; the doctor'],
    ['learning', 'curriculum and traces'],
  ]),
  ...layers('src/arc', arc, [
    ['grid', 'grids, objects, tasks and facts about them'],
    ['language', 'the rules and how they run'],
    ['verify', 'the authority: rules against training pairs; scores'],
    ['search', 'proposing rules'],
    ['learning', 'critics, rulers, memory, students, data sets'],
    ['render', 'tasks in a terminal and as HTML'],
    ['solve', 'search threads, rows and metrics of `arc solve`'],
    ['.', 'the ARC domain, as the engine sees it'],
    ['loop', 'propose, verify, criticise, edit'],
  ]),
  {
    folder: 'src/reporters',
    contains: 'read events and print: live, plain, json, github',
    mayImport: below('core', 'shared'),
  },
  {
    folder: 'src/app',
    contains: 'composition root; a run starts here',
    mayImport: below('reporters', 'arc', 'lean', ...shortNames(lean)),
  },
  {
    folder: 'src/server',
    contains: 'dashboard, MCP server, Kimina server',
    mayImport: below('app', 'reporters', 'lean', ...shortNames(lean)),
  },
  {
    folder: 'src/commands',
    contains: 'one file per command: parse → options → call → exit code',
    mayImport: below('server', 'app', 'reporters', 'arc', 'lean', ...shortNames(lean)),
  },
  {
    folder: 'src',
    contains: 'the program (`cli.ts`) and the public API (`index.ts`)',
    mayImport: below('commands', 'server', 'app', 'reporters', 'arc', 'lean', ...shortNames(lean)),
  },
  { folder: 'web', contains: 'the dashboard in Preact', mayImport: below('shared') },
];

function shortNames(folders: readonly string[]): string[] {
  return folders.map((folder) => folder.replace('src/', ''));
}

/** The innermost module that holds a file. */
export function moduleOf(file: string): Module | undefined {
  const holding = modules.filter(({ folder }) => file.startsWith(`${folder}/`));
  return holding.toSorted((one, other) => other.folder.length - one.folder.length)[0];
}

/** Whether a file may import another; both are paths below the root of the repository. */
export function mayImport(from: string, to: string): boolean {
  const [module, other] = [moduleOf(from), moduleOf(to)];
  if (!module || module === other) return true;
  if (!other) return module.folder !== 'web';
  return module.mayImport.some(
    (allowed) => allowed === other.folder || other.folder.startsWith(`${allowed}/`),
  );
}
