import { failed, success, type Result } from '../../core/result.ts';
import type { Git } from '../../io/git.ts';
import { publicAddress } from '../../io/github-address.ts';
import type { Ground, OfferedGround } from '../../store/queue/queue.ts';
import type { LeanGoal } from '../goals/goal.ts';
import type { LeanPool } from '../workers/pool.ts';
import { sortedOptions, type Options } from '../base/options.ts';
import { describeToolchain } from '../toolchain/toolchain.ts';

/** The modules that goals depend on: hashed by the run, and compared by the worker. */
export interface GroundStanding {
  readonly pool: Pick<LeanPool, 'toolchain' | 'environments'>;
  /** Of orch. */
  readonly version: string;
}

/** The environment that a worker needs to open a goal. */
export async function groundOf(
  { pool, version }: GroundStanding,
  { environment }: LeanGoal,
  gitIn: (folder: string) => Git,
): Promise<Result<Ground>> {
  const common = { version, toolchain: describeToolchain(pool.toolchain) };
  const project = environment?.project ?? null;
  if (!environment || project === null)
    return success({
      ...common,
      imports: [],
      options: {},
      closure: '',
      project: null,
      origin: null,
      revision: null,
    });
  const opened = await pool.environments.open(environment);
  if (!opened.ok) return opened;
  const { imports, options } = environment;
  const { closure } = opened.value;
  const source = await sourceOf(gitIn(project));
  return success({ ...common, imports, options: sortedOptions(options), closure, project, ...source });
}

/** The address from which others can clone the folder: with uncommitted changes, no commit reproduces it. */
async function sourceOf(git: Git): Promise<Pick<Ground, 'origin' | 'revision'>> {
  const origin = await git.run('remote', 'get-url', 'origin');
  const changes = await git.changes();
  const isClean = changes.ok && changes.value === '';
  return {
    origin: origin.ok ? publicAddress(origin.value) : null,
    revision: isClean ? ((await git.commitOf('HEAD')) ?? null) : null,
  };
}

/** The environments in which this machine can open goals from others. */
export class Places {
  readonly #standing: GroundStanding;
  readonly #projects: readonly string[];
  readonly #closures = new Map<string, Promise<string>>();

  /** `projects`: folders whose modules may be opened. */
  constructor(standing: GroundStanding, projects: readonly string[]) {
    this.#standing = standing;
    this.#projects = projects;
  }

  async placeFor(ground: OfferedGround): Promise<Result<(goal: LeanGoal, id: string) => LeanGoal>> {
    const { version, pool } = this.#standing;
    const toolchain = describeToolchain(pool.toolchain);
    if (ground.version !== version || ground.toolchain !== toolchain)
      return failed({
        kind: 'other-version',
        message: `goals of orch ${ground.version} on ${ground.toolchain} are not for this worker, which is orch ${version} on ${toolchain}: install the same`,
      });
    if (ground.closure === '') return success((goal, id) => ({ ...goal, id }));
    for (const project of this.#projects)
      if ((await this.#closureIn(ground, project)) === ground.closure)
        return success((goal, id) => ({
          ...goal,
          id,
          environment: goal.environment && { ...goal.environment, project },
        }));
    return failed({ kind: 'missing-modules', message: howToGet(ground) });
  }

  async #closureIn({ imports, options, queue }: OfferedGround, project: string): Promise<string> {
    const key = `${queue} ${project}`;
    const known =
      this.#closures.get(key) ??
      this.#standing.pool.environments
        .open({ imports, options: Object.fromEntries(options as [string, Options[string]][]), project })
        .then((opened) => (opened.ok ? opened.value.closure : 'none'));
    this.#closures.set(key, known);
    return await known;
  }
}

/** The message for a worker that lacks the modules of a project. */
export function howToGet({ project, imports, origin, revision }: Ground): string {
  const needs = `goals of the project ${project ?? '?'} need its modules (${imports.join(', ')}) in the same version`;
  if (origin !== null && revision !== null)
    return `${needs}: git clone ${origin} FOLDER && git -C FOLDER checkout ${revision}, and start the worker with --project FOLDER`;
  return `${needs}: copy that folder${revision === null ? ', which has uncommitted changes,' : ''} and start the worker with --project and that copy`;
}
