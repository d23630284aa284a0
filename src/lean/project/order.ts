import path from 'node:path';
import { closureOf, graphOf, type Texts } from './graph.ts';
import { findProject, type Project } from './project.ts';

/** For each file, the other given files that it imports, directly or indirectly. Files in an import cycle are left out. */
export function filesBelow(files: Iterable<string>, texts?: Texts): Map<string, Set<string>> {
  const below = new Map<string, Set<string>>();
  const projects = new Map<string, Project>();
  const byProject = Map.groupBy(files, (file) => {
    const project = findProject(path.resolve(file));
    projects.set(project.folder, project);
    return project.folder;
  });
  for (const [folder, some] of byProject) {
    const project = projects.get(folder);
    if (!project) continue;
    const names = new Map(some.map((file) => [project.moduleAt(file).name, file]));
    const graph = graphOf(
      project,
      some.map((file) => project.moduleAt(file)),
      texts,
    );
    for (const [name, file] of names) {
      const found = [...closureOf(graph, [name])].flatMap((other) => names.get(other) ?? []);
      below.set(file, new Set(found));
    }
  }
  for (const [file, others] of below)
    for (const other of others) if (below.get(other)?.has(file)) others.delete(other);
  return below;
}
