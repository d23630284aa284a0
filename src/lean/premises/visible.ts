import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../../io/whole-file.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import type { Library } from './retrieve.ts';
import { wholeLibrary } from './whole-library.ts';

/** The direct imports of each library module. */
const importGraph = z.record(z.string(), z.array(z.string()));
export type ImportGraph = z.infer<typeof importGraph>;

/** Lean reports a thousand modules per request; the wall-clock limit allows for a busy machine. */
const deadlineMs = 600_000;

/** The visible part of a library: modules, and the names of their premises. */
export interface Visible {
  readonly modules: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** The declarations of some library modules and their imports. Undefined if Lean does not report imports. */
export async function visibleFrom(
  library: Library,
  toolchain: Toolchain,
  imports: readonly string[],
): Promise<Visible | undefined> {
  const graph = await importGraphOf(library, toolchain);
  if (!graph) return undefined;
  const modules = closureIn(graph, ['Init', ...imports]);
  return { modules: [...modules], names: new Set(library.index.inModules([...modules])) };
}

/** Some modules and everything they import. */
export function closureIn(graph: ImportGraph, imports: readonly string[]): ReadonlySet<string> {
  const modules = new Set(imports);
  // iterating a set includes elements added meanwhile
  for (const module of modules) for (const one of graph[module] ?? []) modules.add(one);
  return modules;
}

/** Read once and stored next to the index. */
export async function importGraphOf(
  { folder, name }: Pick<Library, 'folder' | 'name'>,
  toolchain: Toolchain,
): Promise<ImportGraph | undefined> {
  const file = path.join(folder, `${name}.imports.json`);
  if (existsSync(file)) return importGraph.parse(JSON.parse(readFileSync(file, 'utf8')));
  const graph = await readGraph(toolchain);
  if (graph) replaceFile(file, JSON.stringify(graph));
  return graph;
}

async function readGraph(toolchain: Toolchain): Promise<ImportGraph | undefined> {
  using worker = await wholeLibrary(toolchain);
  const text = `open Lean Elab Command in
run_cmd do
  let env ← getEnv
  for (m, d) in env.header.moduleNames.zip env.header.moduleData do
    logInfo m!"{m} {d.imports.map (·.module)}"`;
  const asked = { session: worker.rootSession, text, code: true };
  const reply = await worker.request('load', asked, { deadlineMs });
  if (!reply.ok || reply.errors > 0) return undefined;
  const said = reply.messages.map(({ text: line }) => line.match(/[^\s#[\],]+/g) ?? []);
  return Object.fromEntries(said.map(([module = '', ...imports]) => [module, imports]));
}
