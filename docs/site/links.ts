import { existsSync } from 'node:fs';
import path from 'node:path';
import { sectionsOf, targetsOf, type Document } from './documents.ts';

/** Links and images whose file or anchor does not exist, as `FILE: TARGET`. Links to other sites are not followed. */
export function deadLinks(root: string, documents: readonly Document[]): string[] {
  const anchors = new Map(
    documents.map((document) => [
      document.path,
      new Set(sectionsOf(document.text).map(({ anchor }) => anchor)),
    ]),
  );
  return documents.flatMap((document) =>
    targetsOf(document.text)
      .filter((target) => !/^[a-z]+:/.test(target) && !isAlive(document.path, target))
      .map((target) => `${document.path}: ${target}`),
  );

  function isAlive(from: string, target: string): boolean {
    const [name = '', anchor] = decodeURI(target).split('#');
    const file = name === '' ? from : path.join(path.dirname(from), name);
    if (file.startsWith('..') || !existsSync(path.join(root, file))) return false;
    return anchor === undefined || (anchors.get(file)?.has(anchor) ?? false);
  }
}
