import { existsSync } from 'node:fs';
import path from 'node:path';
import { failed, success, type Result } from '../../core/result.ts';
import type { Git } from '../../io/git.ts';
import { readTextFile } from '../../io/text-file.ts';
import { writeWhole } from '../../io/whole-file.ts';
import { escaped } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';
import { sourceName } from '../base/names.ts';
import type { Verdict } from '../gate/verdict.ts';
import { judgeMs } from '../goals/limits.ts';
import { provedTheorems } from '../improve/golf/file.ts';
import { isShorter, lengthOf, type Length } from '../improve/golf/score.ts';
import { environmentOfFile } from '../project/environment.ts';
import type { FileLean } from '../writing/writer.ts';
import { judgeChange } from './change.ts';
import type { Shipment } from './ship.ts';
import { code, listed, type RequestTexts } from './texts.ts';
import { inWorktree } from './worktree.ts';

/** A file whose proofs have become shorter. */
interface ShorterFile {
  /** From the top of the repository. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** Shorter proofs of one file, on a branch. What the request says is read off the two versions, so a second run says the same. */
export function shorterProofs(lean: FileLean, git: Git, { file, before, after }: ShorterFile): Shipment {
  const texts = async (then: string, tree: string): Promise<Result<RequestTexts>> => {
    const { verdicts, changed, isInTheorems } = await judgeChange(lean.gate, { before: then, tree }, file, {
      deadlineMs: judgeMs,
    });
    // other theorems may be open, as before
    const bad = verdicts.find(
      ({ name, verdict, kind }) =>
        verdict !== 'accepted' && (kind === 'statement-changed' || changed.has(sourceName(name ?? ''))),
    );
    if (bad) return no(`${bad.name ?? file}: ${bad.message}`);
    if (!isInTheorems) return no(`it changes ${file} outside of proofs`);
    const lengths = await lengthsIn(lean, path.join(then, file));
    const saved = [...(await lengthsIn(lean, path.join(tree, file)))].flatMap(([name, now]) => {
      const earlier = lengths.get(name);
      return earlier && isShorter(now, earlier) ? [{ name, earlier, now }] : [];
    });
    return saved.length === 0 ? no('no proof is shorter') : success(textsOf(file, saved, verdicts));
  };
  const comparedWith = async (commit: string, tree: string): Promise<Result<RequestTexts>> => {
    const compared = await inWorktree(git, commit, async ({ folder }) => await texts(folder, tree));
    return compared.ok ? compared.value : compared;
  };
  return {
    name: file,
    branch: branchOf(file),
    async write(tree) {
      const place = path.join(tree, file);
      if (!existsSync(place) || readTextFile(place) !== before)
        return no(`${file} is different on the base branch`);
      const start = await git.in(tree).commitOf('HEAD');
      if (start === undefined) return no('the base branch has no commit');
      writeWhole(place, after);
      return await comparedWith(start, tree);
    },
    async holds(tree, start) {
      const other = (await git.in(tree).changedSince(start)).find((one) => one !== file);
      if (other !== undefined) return no(`it changes ${other}`);
      return existsSync(path.join(tree, file)) ? await comparedWith(start, tree) : no(`it has no ${file}`);
    },
  };
}

const no = (message: string) => failed({ kind: 'golf', message });

/** A file's path as one part of a branch name. */
function branchOf(file: string): string {
  return `auto/golf/${file.replace(/\.lean$/, '').replaceAll(/[^\p{L}\p{N}_'-]+/gu, '.')}`;
}

/** The length of each proof in a file. Time is left out: it differs from run to run. */
async function lengthsIn({ pool }: FileLean, file: string): Promise<Map<string, Length>> {
  const text = readTextFile(file);
  const environment = environmentOfFile(file, text);
  const found = await pool.use(async (lease) => await provedTheorems(lease, text, file, environment), {
    environment,
  });
  const theorems = found.ok ? found.value : [];
  return new Map(theorems.map(({ goal, proof }) => [goal.id, lengthOf(proof, 0)]));
}

interface Saved {
  readonly name: string;
  readonly earlier: Length;
  readonly now: Length;
}

function textsOf(file: string, saved: readonly Saved[], verdicts: readonly Verdict[]): RequestTexts {
  const title = escaped`refactor(lean): shorten ${plural(saved.length, 'proof')} in ${file}`;
  const rows = saved.map(({ name, earlier, now }) => `| ${code(name)} | ${said(earlier)} | ${said(now)} |`);
  const changed = verdicts.filter(({ name = '' }) =>
    saved.some((one) => sourceName(one.name) === sourceName(name)),
  );
  const body = `### Shorter proofs in ${code(file)}
| theorem | before | after |
|---|---|---|
${rows.join('\n')}

### Checks
- Status: ${distinct(changed.map(({ assurance }) => assurance)).join(', ')} by orch's gate on ${distinct(changed.map(({ toolchain }) => toolchain)).join(', ')}
- Axioms: ${listed(distinct(changed.flatMap(({ axioms }) => axioms)))}
- Second kernel: ${distinct(changed.map(({ second_kernel }) => second_kernel?.answer)).join(', ') || 'not asked'}
- Statements: unchanged, as the gate compared them with the base; nothing else in the file has changed
`;
  return { commit: `${title}\n`, title, body, labels: [] };
}

function distinct(values: readonly (string | null | undefined)[]): string[] {
  return [...new Set(values.flatMap((value) => value ?? []))];
}

function said({ tactics, characters }: Length): string {
  return `${plural(tactics, 'tactic')}, ${plural(characters, 'character')}`;
}
