import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { filled, holds, type Contexts, type Status } from './expressions.ts';

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly if?: string;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
  readonly defaults?: { readonly run?: { readonly 'working-directory'?: string } };
}

export interface StepResult {
  readonly job: string;
  readonly step: string;
  readonly outcome: 'success' | 'failure' | 'skipped';
  readonly output: string;
}

export interface Around {
  /** The folder for all files of this run. */
  readonly folder: string;
  /** The bare repository that `actions/checkout` clones. */
  readonly remote: string;
  /** The event, as the `github` context shows it. */
  readonly github: Readonly<Record<string, unknown>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Doubles of programs that no registry we reach has. */
  readonly programs: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Doubles of actions, by name. */
  readonly actions: Readonly<Record<string, Action>>;
  /** Only these jobs. */
  readonly jobs?: readonly string[];
}

/** A job's own places. */
export interface Place extends Around {
  readonly workspace: string;
  readonly file: (name: string) => string;
}

/** The stubs for `uses:`. */
export type Action = (
  inputs: Readonly<Record<string, string>>,
  place: Place,
) => StepAnswer | Promise<StepAnswer>;

/**
 * Runs every step of every job in order, as a runner does: a fresh folder for each job, `bash -eo pipefail` for `run:`, GitHub's own
 * evaluator for expressions. `uses:` is answered by a double that does what the action does.
 */
export async function runWorkflow(text: string, around: Around): Promise<StepResult[]> {
  const { jobs, defaults } = parse(text) as Workflow;
  const results: StepResult[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    if (around.jobs && !around.jobs.includes(name)) continue;
    results.push(...(await runJob(name, job, defaults?.run?.['working-directory'] ?? '.', around)));
  }
  return results;
}

async function runJob(
  name: string,
  job: Job,
  workingDirectory: string,
  around: Around,
): Promise<StepResult[]> {
  const workspace = path.join(around.folder, name, 'workspace');
  const home = path.join(around.folder, name, 'home');
  for (const folder of [workspace, home]) mkdirSync(folder, { recursive: true });
  const file = (what: string): string => path.join(around.folder, name, what);
  const place: Place = { workspace, file, ...around };
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const contexts = (): Contexts => ({
    github: { token: 'github-token', repository: 'o/r', ...around.github },
    vars: around.vars,
    secrets: { ORCH_APP_KEY: 'key' },
    inputs: around.inputs ?? {},
    steps,
  });
  if (!holds(job.if, contexts(), 'success'))
    return [{ job: name, step: '(job)', outcome: 'skipped', output: '' }];
  let status: Status = 'success';
  const results: StepResult[] = [];
  for (const step of job.steps) {
    const title = step.name ?? step.uses ?? step.run ?? '';
    if (!holds(step.if, contexts(), status)) {
      results.push({ job: name, step: title, outcome: 'skipped', output: '' });
      continue;
    }
    const fill = (value: unknown): string => filled(String(value), contexts(), status);
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, fill(value)]));
    const answer =
      step.uses === undefined
        ? await runScript(fill(step.run), path.join(workspace, workingDirectory), env, place)
        : await useAction(
            step.uses,
            Object.fromEntries(Object.entries(step.with ?? {}).map(([key, value]) => [key, fill(value)])),
            place,
          );
    if (step.id !== undefined) steps[step.id] = { outputs: answer.outputs ?? {} };
    if (!answer.ok) status = 'failure';
    results.push({
      job: name,
      step: title,
      outcome: answer.ok ? 'success' : 'failure',
      output: answer.output,
    });
  }
  return results;
}

export interface StepAnswer {
  readonly ok: boolean;
  readonly output: string;
  readonly outputs?: Record<string, string>;
}

async function useAction(
  uses: string,
  inputs: Readonly<Record<string, string>>,
  place: Place,
): Promise<StepAnswer> {
  const action = place.actions[uses.replace(/@.*/, '')];
  if (!action) throw new Error(`there is no double for ${uses}`);
  return await action(inputs, place);
}

/** Steps of a job share its home, its global npm folder and its summary. */
export async function runScript(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  place: Place,
): Promise<StepAnswer> {
  const { file, programs, environment } = place;
  writeFileSync(file('step.sh'), script);
  const summary = file('summary.md');
  const branch = place.github['ref_name'];
  if (!existsSync(summary)) writeFileSync(summary, '');
  const options = {
    cwd,
    maxBuffer: 1 << 28,
    env: {
      PATH: [
        path.join(file('npm'), 'bin'),
        programs,
        path.dirname(process.execPath),
        '/usr/local/bin:/usr/bin:/bin',
      ].join(':'),
      HOME: file('home'),
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_SERVER_URL: 'https://github.invalid',
      GITHUB_RUN_ID: '1',
      ...(typeof branch === 'string' && { GITHUB_REF_NAME: branch }),
      RUNNER_TEMP: path.dirname(summary),
      GITHUB_STEP_SUMMARY: summary,
      npm_config_prefix: file('npm'),
      ...environment,
      ...env,
    },
  };
  return await new Promise((resolve) => {
    execFile(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', file('step.sh')],
      options,
      (error, stdout, stderr) => resolve({ ok: error === null, output: `${stdout}${stderr}` }),
    );
  });
}

export function summaryOf(folder: string, job: string): string {
  return readFileSync(path.join(folder, job, 'summary.md'), 'utf8');
}
