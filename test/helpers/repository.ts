import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './folders.ts';
import { GitHubServer } from './github-server.ts';

/** A repository on `dev` with these files, its bare remote, and a local GitHub for `--repo o/r`. */
export async function repositoryWith(files: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder();
  const git = (...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), text);
  }
  const remote = path.join(temporaryFolder(), 'remote.git');
  git('init', '--quiet', '--bare', remote);
  git('init', '--quiet', '--initial-branch=dev');
  git('config', 'user.name', 'A Person');
  git('config', 'user.email', 'person@example.invalid');
  git('remote', 'add', 'origin', remote);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  git('push', '--quiet', 'origin', 'HEAD:dev');
  const server = await GitHubServer.start();
  onTestFinished(async () => await server.close());
  return { cwd, git, server, env: { GITHUB_API_URL: server.api, GITHUB_TOKEN: 'ghp_0123456789secret' } };
}
