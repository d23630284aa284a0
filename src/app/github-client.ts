import { systemClock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { GitHub } from '../io/github.ts';

/** GitHub as the environment says (`GITHUB_TOKEN` or `GH_TOKEN`, `GITHUB_API_URL`), for a repository OWNER/NAME. */
export function githubFor(repository: string | undefined): GitHub {
  const [owner, repo] = repository?.split('/') ?? [];
  if (!owner || !repo)
    throw new UserError('github-repository', 'the GitHub repository is unknown', 'Set --repo OWNER/NAME.');
  return new GitHub({
    owner,
    repo,
    token: process.env['GITHUB_TOKEN'] ?? process.env['GH_TOKEN'],
    api: process.env['GITHUB_API_URL'] ?? 'https://api.github.com',
    sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => systemClock.date().getTime(),
  });
}
