/**
 * Git runs programs that its configuration names: editors, filters, helpers, file system monitors. A clone brings none along, but
 * a checkout that came as an archive brings its own `.git/config`. So a key there counts only if it is listed here; with any
 * other key git is not run in that checkout until its user trusts it.
 */
const harmless = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  /^core\.(autocrlf|eol|safecrlf|longpaths|abbrev|quotepath|sparsecheckout|sparsecheckoutcone|untrackedcache)$/,
  // these two name programs, and every call of ours overrules them
  /^core\.(fsmonitor|hookspath)$/,
  /^remote\..*\.(url|pushurl|fetch|push|tagopt|prune|prunetags|promisor|partialclonefilter|gh-resolved)$/,
  /^branch\..*\.(remote|merge|rebase|pushremote|description|vscode-merge-base|gh-merge-base)$/,
  /^user\.(name|email)$/,
  /^submodule\.(.*\.)?(url|active|branch|ignore)$/,
  /^extensions\.(worktreeconfig|partialclone|objectformat|refstorage|relativeworktrees)$/,
  /^gc\.(auto|autodetach|pruneexpire)$/,
  /^(pull\.(rebase|ff)|push\.(default|autosetupremote)|fetch\.(prune|prunetags)|init\.defaultbranch)$/,
  /^(advice|alias|color)\./,
  /^lfs\.(repositoryformatversion|.*\.access)$/,
  // what CI writes so that git can fetch; the content of included files is listed as well
  /^http\..*\.extraheader$/,
  /^include(if\..*)?\.(path)$/,
];

/** `git config --list -z --show-scope`: scope, then key and value apart by a line break. */
export function namesPrograms(listing: string): string[] {
  const fields = listing.split('\0');
  const found: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = '', entry = ''] = fields.slice(at, at + 2);
    const [key = '', ...value] = entry.split('\n');
    const isOfCheckout = scope === 'local' || scope === 'worktree';
    if (isOfCheckout && !isHarmless(key, value.join('\n'))) found.push(key);
  }
  return [...new Set(found)];
}

function isHarmless(key: string, value: string): boolean {
  if (!harmless.some((pattern) => pattern.test(key))) return false;
  // `ext::sh -c …` and other `NAME::` addresses start a program of that name
  return !/^remote\..*url$/.test(key) || !/^\s*(-|[\w+.-]+::)/.test(value);
}
