import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { builderFor, openToolchain, refuseOtherLean } from './lean.ts';
import { workersOf, type Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { build, type Build } from '../lean/project/build.ts';
import { graphOf, type Headers, type ModuleGraph } from '../lean/project/graph.ts';
import type { ModuleRecord } from '../lean/project/store.ts';
import { findProject, type Project, type SourceModule } from '../lean/project/project.ts';
import { imageOf } from '../lean/project/image-choice.ts';
import { escaped, harmless } from '../shared/for-people.ts';

/** Compile modules of the project in this folder, or of the project of the first file. */
export async function buildProject(
  targets: readonly string[],
  settings: Settings,
  json: boolean,
): Promise<ExitCode> {
  const project = findProject(targets.find((target) => existsSync(target)) ?? '.');
  refuseOtherLean(settings, [path.join(project.folder, 'lakefile.toml')]);
  const modules = targets.map((target) => moduleFor(project, target));
  const graphWith = (headers?: Headers): ModuleGraph =>
    graphOf(project, modules.length > 0 ? modules : project.targets(), undefined, headers);
  const image = imageOf(graphWith().library);
  const toolchain = await openToolchain(settings, { image });
  const builder = builderFor(settings, toolchain, { image, slots: workersOf(settings) });
  if (!builder)
    throw new UserError('native-lean', 'a native Lean is used here', 'lake build compiles its modules.');
  const built = await build(graphWith, builder);
  const { graph } = built;
  for (const { name } of graph.order) say(json ? moduleJson(name, built) : moduleText(name, built));
  if (graph.cycle)
    process.stderr.write(escaped`orch: these modules import each other: ${graph.cycle.join(' → ')}\n`);
  const fresh = [...built.modules.values()].filter(({ cached }) => !cached).length;
  const [done, all] = [built.modules.size, graph.byName.size];
  if (!json) say(`${done} of ${all} modules are built, ${fresh} of them now\n`);
  return done === all ? ExitCode.done : ExitCode.notAll;
}

function say(text: string): void {
  process.stdout.write(harmless(text));
}

function moduleFor(project: Project, target: string): SourceModule {
  // a module and the folder of its submodules share a name
  const isFile = statSync(target, { throwIfNoEntry: false })?.isFile() === true;
  const found = isFile ? project.moduleAt(target) : project.find(target);
  if (found) return found;
  throw new UserError(
    'no-module',
    `there is no module ${target} in ${project.folder}`,
    'Name a module or a file.',
  );
}

function moduleText(name: string, { modules, failed }: Build): string {
  const done = modules.get(name);
  if (done?.cached === true) return '';
  if (done) return `✓ ${name}  ${done.cpuSeconds.toFixed(1)} s${brokenText(done)}\n`;
  return (failed.get(name)?.errors ?? []).map((error) => `✗ ${error}\n`).join('');
}

function brokenText({ errors: [first, ...rest] }: ModuleRecord): string {
  if (!first) return '';
  const more = rest.length > 0 ? ` (and ${rest.length} more)` : '';
  return `; it is broken, with a sorry in place of: line ${first.line}: ${first.text.split('\n')[0] ?? ''}${more}`;
}

function moduleJson(name: string, { modules, failed }: Build): string {
  const done = modules.get(name);
  const line = {
    type: 'module',
    module: name,
    built: done !== undefined,
    cached: done?.cached ?? false,
    cpu_seconds: done && !done.cached ? done.cpuSeconds : 0,
    warnings: done?.warnings ?? [],
    errors: failed.get(name)?.errors ?? [],
    broken: done?.errors ?? [],
  };
  return `${JSON.stringify(line)}\n`;
}
