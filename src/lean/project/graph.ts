import { readHeader, type Header } from '../base/header.ts';
import { isLibraryModule } from '../base/module-names.ts';
import type { Project, SourceModule } from './project.ts';
import { readTextFile } from '../../io/text-file.ts';

/** A module as a node of the graph: its text, and what it imports. */
export interface GraphModule extends SourceModule {
  readonly text: string;
  readonly header: Header;
  /** Modules of the project that it imports itself. */
  readonly imports: readonly string[];
  /** Imported modules that do not exist. */
  readonly missing: readonly string[];
  /**
   * The user cannot fix it: it belongs to a required package, or needs private data that the embedded library lacks. If broken, it is kept with a `sorry`.
   */
  readonly isLent: boolean;
}

export interface ModuleGraph {
  /** In an order in which they can be compiled; modules of a cycle are missing. */
  readonly order: readonly GraphModule[];
  readonly byName: ReadonlyMap<string, GraphModule>;
  /** Modules that import each other, in their order, the first once more at the end. */
  readonly cycle: readonly string[] | undefined;
  /** The modules of Lean's own library that they import. */
  readonly library: readonly string[];
}

/** Texts to use instead of files, by absolute path. */
export type Texts = ReadonlyMap<string, string>;

export type Headers = ReadonlyMap<string, Header>;

/** Some modules with all their dependencies. */
export function graphOf(
  project: Project,
  targets: readonly SourceModule[],
  texts: Texts = new Map(),
  /** Headers that Lean parses differently than we do, by module text. */
  headers: Headers = new Map(),
): ModuleGraph {
  const byName = new Map<string, GraphModule>();
  const order: GraphModule[] = [];
  const library = new Set<string>();
  let cycle: string[] | undefined;

  // an explicit stack, because chains of imports can overflow the call stack
  type Visit = { readonly module: GraphModule; next: number };
  const visit = (source: SourceModule): void => {
    if (byName.has(source.name)) return;
    const path: Visit[] = [enter(source)];
    while (path.length > 0) {
      const top = path.at(-1);
      if (!top) return;
      const name = top.module.imports[top.next++];
      if (name === undefined) {
        order.push(top.module);
        path.pop();
        continue;
      }
      const at = path.findIndex(({ module }) => module.name === name);
      if (at >= 0) cycle ??= [...path.slice(at).map(({ module }) => module.name), name];
      else if (!byName.has(name)) {
        const found = project.find(name);
        if (found) path.push(enter(found));
      }
    }
  };
  const enter = (source: SourceModule): Visit => {
    if (!texts.has(source.file)) project.refuseForeign(source);
    const text = texts.get(source.file) ?? readTextFile(source.file);
    const header = headers.get(text) ?? readHeader(text);
    const module = moduleWith(project, source, { text, header }, library);
    byName.set(source.name, module);
    return { module, next: 0 };
  };

  for (const target of targets) visit(target);
  const bad = new Set(cycle);
  return {
    order: order.filter(({ name }) => !bad.has(name)),
    byName,
    cycle,
    library: [...library].toSorted(),
  };
}

function moduleWith(
  project: Project,
  source: SourceModule,
  { text, header }: Pick<GraphModule, 'text' | 'header'>,
  library: Set<string>,
): GraphModule {
  const names = [...new Set(header.imports.map(({ module }) => module))];
  for (const name of names) if (isLibraryModule(name)) library.add(name);
  const own = names.filter((name) => !isLibraryModule(name));
  const imports = own.filter((name) => project.find(name) !== undefined);
  const missing = own.filter((name) => !imports.includes(name));
  const wantsPrivate = header.imports.some(({ module, all }) => all && isLibraryModule(module));
  return { ...source, text, header, imports, missing, isLent: wantsPrivate || project.requires(source) };
}

/** Some modules with everything they import, directly or indirectly. */
export function closureOf(graph: ModuleGraph, names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const queue = [...names];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(graph.byName.get(name)?.imports ?? []));
  }
  return seen;
}

/** Some modules with all their direct and indirect importers. */
export function importersOf(graph: ModuleGraph, names: Iterable<string>): GraphModule[] {
  const found = new Set(names);
  // importers come after what they import
  for (const module of graph.order)
    if (module.imports.some((imported) => found.has(imported))) found.add(module.name);
  return graph.order.filter((module) => found.has(module.name));
}
