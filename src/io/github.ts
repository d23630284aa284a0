import { Octokit } from '@octokit/rest';
import { messageOf } from '../core/errors.ts';
import { failed, success, type Fault, type Result } from '../core/result.ts';

/** The fields of a pull request that we use. */
export interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly state: 'open' | 'closed';
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

/** A check of a commit. */
export interface Check {
  readonly name: string;
  readonly state: 'green' | 'red' | 'running';
}

/** GitHub's answer or an error. Error messages never contain the token. */
export type GitHubAnswer<Value> = Result<Value, GitHubFault>;

export type GitHubFault = Fault<'not-found' | 'refused' | 'exists' | 'rate-limit' | 'unreachable'>;

export interface GitHubOptions {
  readonly owner: string;
  readonly repo: string;
  readonly token: string | undefined;
  /** URL of GitHub or of a compatible server. */
  readonly api: string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}

/** Number of retries, and the longest rate limit to wait for; a longer one is reported. */
const tries = 3;
const longestWaitMs = 60_000;

/** The few GitHub calls that orch makes for a repository. */
export class GitHub {
  readonly #octokit: Octokit;
  readonly #options: GitHubOptions;

  constructor(options: GitHubOptions) {
    this.#options = options;
    this.#octokit = new Octokit({
      ...(options.token !== undefined && { auth: options.token }),
      baseUrl: options.api,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
  }

  /** Pull requests of a branch, newest first. */
  async pullRequestsOf(branch: string): Promise<GitHubAnswer<readonly PullRequest[]>> {
    const { owner, repo } = this.#options;
    return await this.#ask(async () => {
      const { data } = await this.#octokit.rest.pulls.list({
        owner,
        repo,
        head: `${owner}:${branch}`,
        state: 'all',
        sort: 'created',
        direction: 'desc',
      });
      return data.filter(({ head }) => head.ref === branch).map(readPullRequest);
    });
  }

  async openPullRequest(
    branch: string,
    base: string,
    text: { readonly title: string; readonly body: string },
  ): Promise<GitHubAnswer<PullRequest>> {
    const { owner, repo } = this.#options;
    return await this.#ask(async () => {
      const { data } = await this.#octokit.rest.pulls.create({ owner, repo, head: branch, base, ...text });
      return readPullRequest(data);
    });
  }

  async updatePullRequest(
    number: number,
    text: { readonly title: string; readonly body: string },
  ): Promise<GitHubAnswer<PullRequest>> {
    const { owner, repo } = this.#options;
    return await this.#ask(async () => {
      const { data } = await this.#octokit.rest.pulls.update({ owner, repo, pull_number: number, ...text });
      return readPullRequest(data);
    });
  }

  async addLabels(number: number, labels: readonly string[]): Promise<GitHubAnswer<null>> {
    const { owner, repo } = this.#options;
    return await this.#ask(async () => {
      await this.#octokit.rest.issues.addLabels({ owner, repo, issue_number: number, labels: [...labels] });
      return null;
    });
  }

  /** Adds a comment to a pull request, unless it has the same one. */
  async comment(number: number, body: string): Promise<GitHubAnswer<null>> {
    const { owner, repo } = this.#options;
    const at = { owner, repo, issue_number: number };
    return await this.#ask(async () => {
      const { data } = await this.#octokit.rest.issues.listComments({ ...at, per_page: 100 });
      if (!data.some((one) => one.body === body))
        await this.#octokit.rest.issues.createComment({ ...at, body });
      return null;
    });
  }

  /** The CI checks of a commit, each with its latest run. */
  async checksOf(commit: string): Promise<GitHubAnswer<readonly Check[]>> {
    const { owner, repo } = this.#options;
    return await this.#ask(async () => {
      const { data } = await this.#octokit.rest.checks.listForRef({
        owner,
        repo,
        ref: commit,
        filter: 'latest',
        per_page: 100,
      });
      return data.check_runs.map(({ name, status, conclusion }) => ({
        name,
        state: status === 'completed' ? stateOf(conclusion) : 'running',
      }));
    });
  }

  async protectBranch(branch: string, checks: readonly string[]): Promise<GitHubAnswer<null>> {
    const { owner, repo } = this.#options;
    return await this.#ask(async () => {
      await this.#octokit.rest.repos.updateBranchProtection({
        owner,
        repo,
        branch,
        required_status_checks: { strict: true, contexts: [...checks] },
        enforce_admins: false,
        required_pull_request_reviews: null,
        restrictions: null,
      });
      return null;
    });
  }

  async squashOnly(): Promise<GitHubAnswer<null>> {
    const { owner, repo } = this.#options;
    return await this.#ask(async () => {
      await this.#octokit.rest.repos.update({
        owner,
        repo,
        allow_squash_merge: true,
        allow_merge_commit: false,
        allow_rebase_merge: false,
        delete_branch_on_merge: true,
      });
      return null;
    });
  }

  async #ask<Value>(request: () => Promise<Value>): Promise<GitHubAnswer<Value>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return success(await request());
      } catch (error) {
        const fault = this.#explain(error);
        const wait = this.#waitFor(error, fault.kind, attempt);
        if (attempt >= tries || wait === undefined) return failed(fault);
        await this.#options.sleep(wait);
      }
    }
  }

  #explain(error: unknown): GitHubFault {
    const { status } = partsOf(error);
    const { token } = this.#options;
    const text = messageOf(error);
    const message = token === undefined || token === '' ? text : text.replaceAll(token, '…');
    if (isLimit(error)) return { kind: 'rate-limit', message };
    if (status === 404) return { kind: 'not-found', message };
    if (status === 422 && /already exists/i.test(text)) return { kind: 'exists', message };
    if (status === undefined || status >= 500) return { kind: 'unreachable', message };
    return { kind: 'refused', message };
  }

  /** How long to wait before a retry; undefined if a retry is pointless or the wait too long. */
  #waitFor(error: unknown, kind: string, attempt: number): number | undefined {
    if (kind === 'unreachable') return 500 * attempt;
    if (kind !== 'rate-limit') return undefined;
    const { headers } = partsOf(error);
    const seconds = Number(headers['retry-after'] ?? Number.NaN);
    const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
    const wait = Number.isFinite(seconds) ? seconds * 1000 : reset * 1000 - this.#options.now();
    return Number.isFinite(wait) && wait <= longestWaitMs ? Math.max(0, wait) : undefined;
  }
}

/** A skipped check does not count against a commit. */
function stateOf(conclusion: string | null): Check['state'] {
  return ['success', 'skipped', 'neutral'].includes(conclusion ?? '') ? 'green' : 'red';
}

function isLimit(error: unknown): boolean {
  const { status, headers } = partsOf(error);
  return (
    status === 429 ||
    (status === 403 && (headers['x-ratelimit-remaining'] === '0' || 'retry-after' in headers))
  );
}

/** The status of octokit's errors, if there was a response. Octokit reports a lost connection as 500. */
function partsOf(error: unknown): { status: number | undefined; headers: Readonly<Record<string, unknown>> } {
  const { status, response } = (error ?? {}) as {
    status?: number;
    response?: { headers?: Record<string, unknown> };
  };
  return { status, headers: response?.headers ?? {} };
}

function readPullRequest(data: {
  readonly number: number;
  readonly html_url: string;
  readonly state: string;
  readonly title: string;
  readonly body: string | null;
  readonly labels?: readonly (string | { readonly name?: string })[];
}): PullRequest {
  return {
    number: data.number,
    url: data.html_url,
    state: data.state === 'open' ? 'open' : 'closed',
    title: data.title,
    body: data.body ?? '',
    labels: (data.labels ?? []).map((label) => (typeof label === 'string' ? label : (label.name ?? ''))),
  };
}

const ignore = (): void => undefined;
