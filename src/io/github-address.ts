/** OWNER/NAME of an address on GitHub. */
export function repositoryIn(url: string): string | undefined {
  return /github\.com[:/]([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(url)?.[1];
}
