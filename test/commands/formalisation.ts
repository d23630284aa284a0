import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Shipped } from '../../src/lean/ship/ship.ts';
import type { GitHubServer } from '../helpers/github-server.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch, type Finished } from '../helpers/orch.ts';

const secret = 'ghp_0123456789secret';

/** Changes to files, by their names in the project. */
export type Changes = Readonly<Record<string, (text: string) => string>>;

/** A formalisation in a realistic set-up: a repository, a bare remote, a server with GitHub's routes. */
export class Formalisation {
  readonly folder = path.join(temporaryFolder(), 'clone');
  readonly #remote = path.join(temporaryFolder(), 'remote.git');
  readonly #server: GitHubServer;

  /** From the files of an example, some of them changed. */
  constructor(example: string, server: GitHubServer, changes: Changes = {}) {
    this.#server = server;
    cpSync(example, this.folder, { recursive: true });
    for (const [file, change] of Object.entries(changes)) this.edit(file, change);
    execFileSync('git', ['init', '--quiet', '--bare', this.#remote]);
    this.git('init', '--quiet', '--initial-branch=dev');
    this.git('config', 'user.name', 'A Person');
    this.git('config', 'user.email', 'person@example.invalid');
    this.git('remote', 'add', 'origin', this.#remote);
    this.commit('Begin');
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8' }).trim();
  }

  /** On dev, here and at the remote. */
  commit(message: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
    this.git('push', '--quiet', 'origin', 'HEAD:dev');
  }

  edit(file: string, change: (text: string) => string): void {
    const place = path.join(this.folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, change(readFileSync(place, 'utf8')));
  }

  async orch(...args: string[]): Promise<Finished> {
    return await this.orchUntil(new AbortController().signal, ...args);
  }

  /** Runs until it is stopped. */
  async orchUntil(stop: AbortSignal, ...args: string[]): Promise<Finished> {
    const env = { GITHUB_API_URL: this.#server.api, GITHUB_TOKEN: secret };
    const finished = await orch(args, { cwd: this.folder, env, stop });
    if (`${finished.stdout}${finished.stderr}`.includes(secret)) throw new Error('the token was told');
    return finished;
  }

  /** The report of the last sweep. */
  report(): SweepReport {
    return JSON.parse(readFileSync(path.join(this.folder, '.orch/sweep/report.json'), 'utf8')) as SweepReport;
  }

  /** Every branch of the remote, with its files. */
  branches(): Map<string, string> {
    const lines = execFileSync('git', ['for-each-ref', '--format=%(refname:short) %(tree)', 'refs/heads'], {
      cwd: this.#remote,
      encoding: 'utf8',
    });
    return new Map(
      lines
        .trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
  }
}

interface Marked {
  readonly stated: number;
  readonly proved: number;
}

interface SweepReport {
  readonly goals_total: number;
  readonly goals_solved: number;
  readonly cpu_seconds: number;
  readonly coverage: {
    readonly before: Marked | null;
    readonly after: Marked | null;
  };
  readonly undecided: readonly string[];
  readonly goals: readonly { readonly goal: string; readonly status: string; readonly cpu_seconds: number }[];
  readonly shipped: readonly Shipped[];
}
