import path from 'node:path';
import { failed, success, type Result } from '../../core/result.ts';
import type { Git } from '../../io/git.ts';
import { plural } from '../../shared/plural.ts';
import type { SyncStep } from '../blueprint/sync.ts';
import { markedNodes } from '../blueprint/unearned.ts';
import { nothingNew, type Shipment } from './ship.ts';
import { code, type RequestTexts } from './texts.ts';
import { inWorktree } from './worktree.ts';

/** Writes the marks that Lean confirms into the blueprint of a folder. */
export type Sync = (folder: string) => Promise<readonly SyncStep[]>;

/** The marks of a blueprint on a branch that changes nothing else. `project` is its folder, from the top of the repository. */
export function blueprintMarks(git: Git, project: string, sync: Sync): Shipment {
  const comparedWith = async (commit: string, tree: string): Promise<Result<RequestTexts>> => {
    const old = await inWorktree(git, commit, async ({ folder }) => marksIn(path.join(folder, project)));
    if (!old.ok) return old;
    const changes = [...marksIn(path.join(tree, project))].flatMap(([id, marks]) => {
      const before = old.value.get(id) ?? '';
      return before === marks ? [] : [{ id, before, after: marks }];
    });
    return success(textsOf(changes));
  };
  return {
    name: 'blueprint',
    branch: [
      'auto/docs/blueprint',
      ...(project === '' ? [] : [project.replaceAll(/[^\p{L}\p{N}_'-]+/gu, '.')]),
    ].join('.'),
    async write(tree) {
      const start = await git.in(tree).commitOf('HEAD');
      if (start === undefined) return no('the base branch has no commit');
      const steps = await sync(path.join(tree, project));
      if (!steps.some(({ edit }) => edit !== null))
        return failed({ kind: nothingNew, message: 'the blueprint has the marks that Lean confirms' });
      return await comparedWith(start, tree);
    },
    async holds(tree, start) {
      const changed = await git.in(tree).changedSince(start);
      const sources = path.join(project, 'blueprint/');
      const other = changed.find((file) => !file.startsWith(sources) || !/\.(?:tex|json)$/.test(file));
      if (other !== undefined) return no(`it changes ${other}`);
      const wrong = (await sync(path.join(tree, project))).find(({ edit }) => edit !== null);
      return wrong ? no(`${wrong.node}: ${wrong.message}`) : await comparedWith(start, tree);
    },
  };
}

const no = (message: string) => failed({ kind: 'blueprint', message });

function marksIn(project: string): Map<string, string> {
  return new Map(markedNodes(project).map(({ id, marks }) => [id, marks]));
}

interface MarkChange {
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

function textsOf(changes: readonly MarkChange[]): RequestTexts {
  const title = `docs(blueprint): update the marks of ${plural(changes.length, 'node')}`;
  const rows = changes.map(
    ({ id, before, after }) => `| ${code(id)} | ${before || 'none'} | ${after || 'none'} |`,
  );
  const body = `### Blueprint only: no Lean file changes
| node | marks before | after |
|---|---|---|
${rows.join('\n')}

Lean read every declaration that these nodes name, and the gate judged their proofs.
`;
  return { commit: `${title}\n`, title, body, labels: [] };
}
