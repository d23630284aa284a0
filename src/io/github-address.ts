import { withoutSecrets } from '../core/secrets.ts';

/** OWNER/NAME of an address on GitHub. */
export function repositoryIn(url: string): string | undefined {
  return /github\.com[:/]([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(url)?.[1];
}

/** An address of a repository as others may read it: of HTTP the user goes too. */
export function publicAddress(url: string): string {
  return withoutSecrets(url).replace(/^(https?:\/\/)[^@/]*@/, '$1');
}
