import type { WorkAccount } from '../../workbench/account.ts';
import type { WorkState, Workbench } from '../../workbench/workbench.ts';

/** Closers without arguments, plainest first. */
const closers = ['rfl', 'assumption', 'omega', 'simp', 'grind', 'simp_all'] as const;
/** These state why the goal holds, so no searching tactic is plainer. */
const saysWhy = /^(?:exact|apply|refine|cases|nofun|contradiction|decide|constructor|absurd)\b/;
/** Closers that take names, and their form without. */
const listed = /^(simp|dsimp|simp_all|grind|solve_by_elim|aesop)((?: only)?)(?: \[([^\]]*)\])?$/;
const heartbeats = 1500;
/** Budget per step, the same as in the search that found the original. */
const namesHeartbeats = 3500;

/** The plainest replacement for a closer, without unneeded names. */
export async function plainest(
  workbench: Workbench,
  before: WorkState,
  tactic: string,
  account: WorkAccount,
): Promise<string> {
  const [, , , names = ''] = listed.exec(tactic) ?? [];
  const given = names === '' ? '' : ` [${names}]`;
  const ways = closers.flatMap((closer) =>
    given !== '' && /^(?:simp|grind|simp_all)$/.test(closer) ? [closer, closer + given] : [closer],
  );
  const place = ways.indexOf(tactic);
  const plainer = saysWhy.test(tactic)
    ? ['rfl', 'assumption', ...withOneChoice(tactic)]
    : place >= 0
      ? ways.slice(0, place)
      : ways;
  const answers = await workbench.run(before, plainer, account, { heartbeats, until: 'fewer-goals' });
  const found = plainer.find((_, index) => ends(answers[index], before)) ?? tactic;
  return await withFewerNames(workbench, before, found, account);
}

/** A term with `by first | a | b` inside, once for each alternative. */
function withOneChoice(tactic: string): string[] {
  const [whole, choices] = /\bby first((?: *\|[\w +]+)+)/.exec(tactic) ?? [];
  if (whole === undefined || choices === undefined) return [];
  return choices
    .split('|')
    .slice(1)
    .map((choice) => tactic.replace(whole, () => `by ${choice.trim()}`));
}

/** Removes names while the first goal still closes. `inside`: the whole step around the tactic. */
export async function withFewerNames(
  workbench: Workbench,
  before: WorkState,
  tactic: string,
  account: WorkAccount,
  inside: (tactic: string) => string = (text) => text,
): Promise<string> {
  const [, word = '', only = '', list = ''] = listed.exec(tactic) ?? [];
  if (list === '') return tactic;
  const written = (some: readonly string[]): string =>
    some.length === 0 ? word + only : `${word}${only} [${some.join(', ')}]`;
  const holds = async (some: readonly string[]): Promise<boolean> => {
    const [answer] = await workbench.run(before, [inside(written(some))], account, {
      heartbeats: namesHeartbeats,
    });
    return ends(answer, before);
  };
  let kept = list.split(/,\s*/);
  // halves first: usually only a few of many names matter
  for (let size = kept.length; size >= 1; size = Math.floor(size / 2))
    for (let at = kept.length - size; at >= 0 && account.stopped === undefined; at -= size) {
      const fewer = kept.toSpliced(at, size);
      if (fewer.length < kept.length && (await holds(fewer))) kept = fewer;
    }
  return written(kept);
}

function ends(answer: Awaited<ReturnType<Workbench['run']>>[number] | undefined, before: WorkState): boolean {
  return answer?.kind === 'state' && answer.state.goals.length < before.goals.length;
}
