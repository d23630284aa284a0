import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { settingsFrom } from '../../src/app/settings.ts';
import { planScaffold } from '../../src/app/scaffold.ts';
import { createFiles } from '../../src/io/new-files.ts';
import { actions, artifactsIn, writePrograms } from './doubles.ts';
import { runWorkflow, type Around, type StepResult } from './harness.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A repository as `orch init` writes it, with a bare remote, on `main` and `dev`. */
export class Sample {
  readonly folder: string;
  readonly remote: string;
  readonly clone: string;
  #runs = 0;

  constructor(folder: string) {
    this.folder = folder;
    this.remote = path.join(folder, 'remote.git');
    this.clone = path.join(folder, 'clone');
    mkdirSync(this.clone);
    createFiles(this.clone, planScaffold(this.clone, { name: 'sample', mathlib: false, copilot: false }));
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', this.remote]);
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('remote', 'add', 'origin', this.remote);
    this.commit('Begin', 'main', 'dev');
  }

  git(...args: string[]): string {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid'];
    return execFileSync('git', [...identity, ...args], { cwd: this.clone, encoding: 'utf8' }).trim();
  }

  commit(message: string, ...branches: readonly string[]): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
    for (const branch of branches) this.git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
  }

  /** Runs one of its workflows for an event. */
  async run(
    name: string,
    github: Around['github'],
    more: Partial<Pick<Around, 'vars' | 'jobs' | 'inputs' | 'environment'>> = {},
  ): Promise<{ readonly results: StepResult[]; readonly folder: string }> {
    const folder = path.join(this.folder, 'runs', String(this.#runs++));
    mkdirSync(folder, { recursive: true });
    const programs = path.join(this.folder, 'programs');
    writePrograms(programs, artifactsIn(folder), path.join(root, 'bin/orch.js'));
    const text = readFileSync(path.join(this.clone, `.github/workflows/${name}.yml`), 'utf8');
    const { cache_dir } = settingsFrom();
    const results = await runWorkflow(text, {
      folder,
      remote: this.remote,
      github,
      programs,
      actions,
      vars: { ORCH_PACKAGE: root, ...more.vars },
      ...(more.jobs && { jobs: more.jobs }),
      ...(more.inputs && { inputs: more.inputs }),
      environment: {
        ORCH_CACHE_DIR: cache_dir,
        ...more.environment,
      },
    });
    return { results, folder };
  }

  artifact(name: string, file: string): string {
    return readFileSync(path.join(this.folder, 'runs/artifacts', name, file), 'utf8');
  }
}

/** Steps that failed, with what they printed. */
export function failures(results: readonly StepResult[]): string[] {
  return results
    .filter(({ outcome }) => outcome === 'failure')
    .map(({ job, step, output }) => `${job}: ${step}\n${output}`);
}
