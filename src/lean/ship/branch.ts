import { existsSync } from 'node:fs';
import path from 'node:path';
import { failed, success, type Failed, type Result } from '../../core/result.ts';
import type { Verdict } from '../gate/verdict.ts';
import { sourceName } from '../base/names.ts';
import { unearnedMarks } from '../blueprint/unearned.ts';
import type { Gate } from '../gate/gate.ts';
import { judgeMs } from '../goals/limits.ts';
import { judgeChange } from './change.ts';

/** An existing branch and the commit it started from, each in a work tree. */
export interface ShipBranch {
  readonly tree: string;
  readonly before: string;
  /** The files it changed, relative to the repository. */
  readonly changed: readonly string[];
  /** The folder of the project, relative to the repository. */
  readonly project: string;
}

/**
 * Whether a branch only proves statements of the base. Lean files changed only in theorems; each statement is as on the base; the branch's theorem is proved; and the blueprint has no false marks. Anything else may be good work, but a person must review it.
 */
export async function judgeBranch(gate: Gate, branch: ShipBranch, name: string): Promise<Result<Verdict>> {
  const other = branch.changed.find((file) => !isPartOfProofs(branch, file));
  if (other !== undefined) return no(`it changes ${other}, which is not part of a proof`);

  const verdicts: Verdict[] = [];
  for (const file of branch.changed.filter((one) => one.endsWith('.lean'))) {
    const judged = await judgeChange(gate, branch, file, { deadlineMs: judgeMs });
    verdicts.push(...judged.verdicts);
    const changed = judged.verdicts.find(({ kind }) => kind === 'statement-changed');
    if (changed) return no(`${file}: ${changed.name ?? ''} ${changed.message}`);
    const worse = judged.verdicts.find(
      (one) =>
        one.verdict !== 'accepted' && !isIts(one, name) && judged.changed.has(sourceName(one.name ?? '')),
    );
    if (worse) return no(`${file}: it changes the proof of ${worse.name ?? ''}: ${worse.message}`);
    if (!judged.isInTheorems) return no(`it changes ${file} outside of proofs`);
  }
  const own = verdicts.find((verdict) => isIts(verdict, name));
  if (own?.verdict !== 'accepted') return no(own?.message ?? `${name} is unchanged`);

  const proved = new Set(verdicts.flatMap((one) => (one.verdict === 'accepted' ? (one.name ?? []) : [])));
  const { before, tree, project } = branch;
  const marked = unearnedMarks(path.join(before, project), path.join(tree, project), (one) =>
    proved.has(one),
  );
  if (marked[0] !== undefined) return no(`it marks ${marked[0]} in the blueprint, which it does not prove`);
  return success(own);
}

const isIts = (verdict: Verdict, name: string): boolean =>
  sourceName(verdict.name ?? '') === sourceName(name);

const no = (message: string): Failed => failed({ kind: 'branch', message });

/** A file that exists before and after and may contain proofs or marks. */
function isPartOfProofs({ before, tree, project }: ShipBranch, file: string): boolean {
  const isThere = [before, tree].every((folder) => existsSync(path.join(folder, file)));
  const isLean = file.endsWith('.lean') && path.basename(file) !== 'lakefile.lean';
  return isThere && (isLean || (file.endsWith('.tex') && file.startsWith(path.join(project, 'blueprint/'))));
}
