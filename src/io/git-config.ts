/**
 * Git runs programs that its configuration names: editors, filters, helpers, file system monitors. A clone has none, but a checkout from an archive contains its own `.git/config`. So only the keys listed here are allowed; with any other key, git is not run in that checkout until the user trusts it.
 */
const harmless = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  /^core\.(autocrlf|eol|safecrlf|longpaths|abbrev|quotepath|sparsecheckout|sparsecheckoutcone|untrackedcache)$/,
  // these two name programs, but each of our calls overrides them
  /^core\.(fsmonitor|hookspath)$/,
  /^remote\..*\.(url|pushurl|fetch|push|mirror|tagopt|prune|prunetags|promisor|partialclonefilter|gh-resolved)$/,
  /^core\.shared\w+$/,
  /^receive\.deny\w+$/,
  /^branch\..*\.(remote|merge|rebase|pushremote|description|vscode-merge-base|gh-merge-base)$/,
  /^user\.(name|email)$/,
  /^submodule\.(.*\.)?(url|active|branch|ignore)$/,
  /^extensions\.(worktreeconfig|partialclone|objectformat|refstorage|relativeworktrees)$/,
  /^gc\.(auto|autodetach|pruneexpire)$/,
  /^(pull\.(rebase|ff)|push\.(default|autosetupremote)|fetch\.(prune|prunetags)|init\.defaultbranch)$/,
  /^(advice|alias|color)\./,
  /^lfs\.(repositoryformatversion|.*\.access)$/,
  // written by CI so that git can fetch; included files are checked too
  /^http\..*\.extraheader$/,
  /^include\.path$/,
];

/** An entry of `.git/config` or of a file that it includes. */
export interface ConfigEntry {
  readonly key: string;
  readonly value: string;
}

/** The options whose output `checkoutEntries` reads. */
export const listOptions = ['--list', '--includes', '--show-scope', '--show-origin', '-z'] as const;

/** The checkout's own entries, each with the file that has it. */
export function checkoutEntries(listing: string): (ConfigEntry & { readonly file: string })[] {
  const fields = listing.split('\0');
  return fields.flatMap((scope, index) => {
    if (index % 3 !== 0 || !['local', 'worktree'].includes(scope)) return [];
    const file = (fields[index + 1] ?? '').replace(/^file:/, '');
    return entriesOf(fields.slice(index + 2, index + 3)).map((entry) => ({ ...entry, file }));
  });
}

/** Parses the fields of `git config --list -z`. */
export function entriesOf(fields: readonly string[]): ConfigEntry[] {
  return fields.map((field) => {
    const [key = '', ...value] = field.split('\n');
    return { key, value: value.join('\n') };
  });
}

/**
 * The keys that may start a program. An `includeIf` may hold in another folder, such as a new work tree, so it always counts: `listOf` lists the content of its file (`git config --list -z`), if possible.
 */
export async function namesPrograms(
  entries: readonly ConfigEntry[],
  listOf: (file: string) => Promise<string | undefined>,
): Promise<string[]> {
  const found: string[] = [];
  for (const { key, value } of entries) {
    const isConditional = /^include.+\.path$/.test(key) && value.startsWith('/');
    const content = isConditional ? await listOf(value) : undefined;
    const inside = entriesOf(content?.split('\0').slice(0, -1) ?? []);
    const isFine =
      content === undefined
        ? isHarmlessEntry(key, value)
        : inside.every((each) => each.key !== 'include.path' && isHarmlessEntry(each.key, each.value));
    if (!isFine) found.push(key);
  }
  return [...new Set(found)];
}

export function isHarmlessEntry(key: string, value: string): boolean {
  if (!harmless.some((pattern) => pattern.test(key))) return false;
  // `ext::sh -c …` and other `NAME::` addresses start a program of that name
  return !/^remote\..*url$/.test(key) || !/^\s*(-|[\w+.-]+::)/.test(value);
}
