import { existsSync } from 'node:fs';
import path from 'node:path';
import { readTextFile } from '../../io/text-file.ts';
import { readHeader } from '../../lean/base/header.ts';
import { isLibraryModule } from '../../lean/base/module-names.ts';
import { sortedOptions } from '../../lean/base/options.ts';
import { findProject, type Project } from '../../lean/project/project.ts';
import type { Trees } from '../../lean/ship/change.ts';

/**
 * The files among these that are in both trees and are compiled differently: under other options, or with an import that
 * leads to another file.
 */
export function shiftedFiles({ before, tree }: Trees, files: readonly string[]): string[] {
  const [then, now] = [new Surroundings(before), new Surroundings(tree)];
  return files.filter((file) => {
    if (![before, tree].every((folder) => existsSync(path.join(folder, file)))) return false;
    const { imports } = readHeader(readTextFile(path.join(tree, file)));
    const wanted = imports.map(({ module }) => module).filter((name) => !isLibraryModule(name));
    const [earlier, later] = [then.of(file, wanted), now.of(file, wanted)];
    // a package outside the repository is not in the earlier tree
    const isElsewhere = earlier.places.some((place, at) => place !== null && place !== later.places[at]);
    return isElsewhere || earlier.compiled !== later.compiled;
  });
}

interface Surrounding {
  /** The module's name and options, as text. */
  readonly compiled: string;
  /** Where each import leads; null if nowhere. */
  readonly places: readonly (string | null)[];
}

/** What the lakefiles of a tree say about its files. */
class Surroundings {
  readonly #root: string;
  readonly #projects = new Map<string, Project>();

  constructor(root: string) {
    this.#root = root;
  }

  of(file: string, imports: readonly string[]): Surrounding {
    const project = this.#projectOf(file);
    const { name, options } = project.moduleAt(path.join(this.#root, file));
    const places = imports.map((wanted) => {
      const found = project.find(wanted);
      if (found === undefined) return null;
      const place = path.relative(this.#root, found.file);
      return place.startsWith('..') ? found.file : place;
    });
    return { compiled: JSON.stringify([name, sortedOptions(options)]), places };
  }

  #projectOf(file: string): Project {
    const place = path.join(this.#root, file);
    const folder = path.dirname(place);
    const known = this.#projects.get(folder);
    if (known !== undefined) return known;
    const project = findProject(place);
    // without a lakefile, the root depends on what the file imports
    if (project.isLake) this.#projects.set(folder, project);
    return project;
  }
}
