import { withoutSecrets } from '../core/secrets.ts';

/** OWNER/NAME of a GitHub address. */
export function repositoryIn(url: string): string | undefined {
  return /github\.com[:/]([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(url)?.[1];
}

/** A repository address without credentials; for HTTP, without the user as well. */
export function publicAddress(url: string): string {
  return withoutSecrets(url).replace(/^(https?:\/\/)[^@/]*@/, '$1');
}
