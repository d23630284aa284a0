import type { Verdict } from './verdict.ts';
import { describePosition } from '../base/positions.ts';
import { failure, type Declared, type Failure, type Judged, type Message } from '../base/protocol.ts';
import { isBefore, missingFrom, type Account, type Missing } from './account.ts';
import { restsOn } from './rests-on.ts';
import type { ElaboratedFile } from './roles.ts';
import { assuranceOf, type Stage } from './stages.ts';
import { plainName, type StatedByItself } from './stated-by-itself.ts';
import { accept, conditional, refuse, type Identity, type Refused } from './verdicts.ts';

export interface JudgedParts {
  readonly text: string;
  readonly identity: Identity;
  readonly stages: readonly Stage[];
  readonly candidate: ElaboratedFile;
  /** The judge's verdict on the theorems of the reference, or without one on all that the file declares. */
  readonly judged: readonly Judged[];
  /** With a reference: verdicts on declarations beyond it. */
  readonly others: readonly Judged[];
  readonly hasReference: boolean;
  /** Declarations of a file that runs code, from a reading without that code. */
  readonly stated: StatedByItself | undefined;
  readonly cpuSeconds: number;
}

/**
 * One verdict for everything written in a file. Declared items get the judge's verdict; items that were not declared, or were turned into something else, are unknown; a Lean error is a rejection. Refusals come first, so that looking up a name finds them before an acceptance.
 */
export function verdictsOfFile(parts: JudgedParts): Verdict[] {
  const { text, identity, candidate, judged, others, hasReference, stated } = parts;
  const cpu = parts.cpuSeconds / Math.max(1, judged.length + others.length);
  // a process that has run the text's code is not trusted; a reference is read separately
  const isTrusted = !candidate.ranCode || !hasReference;
  const account: Account | undefined = isTrusted ? (stated?.account ?? candidate.account) : undefined;
  const told = new Set([...judged, ...others].map(({ name }) => name));
  const missing =
    account && parts.stages.includes('account') ? missingFrom(text, account, (name) => told.has(name)) : [];
  const declaredAs = new Map(
    (account ?? candidate.account).written
      .toReversed()
      .flatMap((one) => one.constants.map((name) => [name, one] as const)),
  );
  const doubted = new Set(missing.map(({ at }) => String(at)));
  const blamed = new Set<Message>();
  const errorIn = (declared: Declared | undefined): Message | undefined => {
    const error = declared && candidate.errors.find((message) => isWithin(message, declared));
    if (error) blamed.add(error);
    return error;
  };

  const verdictOn =
    (isBound: boolean) =>
    (one: Judged): Verdict => {
      const declared = declaredAs.get(one.name);
      const error = errorIn(declared);
      if (error) return blame(identity, error, cpu, one.name);
      if (!one.ok) return refuse(identity, explained(one, candidate.data, one.name), cpu);
      if (declared && doubted.has(String(declared.at)))
        return doubt(identity, missing.find(({ at }) => at === declared.at)?.why ?? '', one.name, cpu);
      if (candidate.ranCode && !hasReference && stated?.proved.has(one.name) !== true)
        return doubt(identity, runsCode, one.name, cpu);
      if (one.given.length > 0) return conditional(identity, one, cpu);
      const isTheorem = one.theorem || declared?.word === 'example';
      const bound = declared?.bound ?? [];
      return accept(identity, { ...one, isTheorem, bound }, assuranceOf(parts.stages, isBound), cpu);
    };
  // code may have invented it, and it was not requested, so it gets no acceptance
  const further = others.filter(({ ok }) => !ok || !candidate.ranCode);
  const verdicts = [...judged.map(verdictOn(hasReference)), ...further.map(verdictOn(false))];

  const untold = missing.flatMap((one): Verdict[] => {
    const entry = account?.written.find(({ at }) => at === one.at);
    if (entry?.constants.some((name) => told.has(name))) return [];
    const error = errorIn(entry);
    return [error ? blame(identity, error, cpu, one.name) : lost(identity, one, cpu)];
  });
  const isTold = new Set([...told].map(plainName));
  const hidden = hasReference ? [] : (stated?.hidden ?? []).filter((name) => !isTold.has(plainName(name)));
  const expected = (account?.written ?? []).filter((one) => one.expected);
  const all = [
    ...candidate.errors.filter((error) => !blamed.has(error)).map((error) => blame(identity, error, cpu)),
    ...untold,
    ...hidden.map((name) => doubt(identity, runsCode, name, cpu)),
    ...verdicts,
    ...expected.map((one) => failsAsExpected(identity, one, cpu)),
  ];
  // declarations beyond the reference do not count
  const isAsked = hasReference
    ? judged.length > 0
    : all.some(({ kind }) => kind !== 'defined' && kind !== 'expected-failure');
  return isAsked ? all : [...all, nothing(identity, hasReference ? 'the reference' : 'the file', cpu)];
}

const runsCode =
  'the file runs its own code, which could hide a theorem; only --against says what it must prove';

/** A `sorry` or an axiom may come from an imported file. */
export function explained(why: Failure, exported: unknown, name?: string): Refused {
  const isOthers = why.kind === 'sorry' || why.kind === 'axiom';
  return { failure: why, name, ...(isOthers && { restsOn: restsOn(exported, name) }) };
}

function doubt(identity: Identity, why: string, name: string, cpuSeconds: number): Verdict {
  const kind = why === runsCode ? 'runs-code' : 'unaccounted';
  return refuse(identity, { failure: failure(kind, why), name }, cpuSeconds);
}

/** A declaration without a name is reported by its keyword. */
function lost(identity: Identity, { word, name, at, why }: Missing, cpuSeconds: number): Verdict {
  const place = `${describePosition(at)}: \`${[word, name].filter(Boolean).join(' ')}\``;
  return refuse(
    identity,
    { failure: failure('unaccounted', why), place, ...(name !== '' && { name }) },
    cpuSeconds,
  );
}

/** A test in the file whose expected message matches Lean's. */
function failsAsExpected(identity: Identity, { at }: Declared, cpuSeconds: number): Verdict {
  return {
    verdict: 'accepted',
    kind: 'expected-failure',
    message: `${describePosition(at)}: the example fails, as its #guard_msgs expects`,
    assurance: null,
    axioms: [],
    assumes: [],
    bound: [],
    ...identity,
    cpu_seconds: cpuSeconds,
  };
}

/** A file without claims is not a success. */
function nothing(identity: Identity, what: string, cpuSeconds: number): Verdict {
  return refuse(identity, { failure: failure('no-theorem', `${what} states no theorem`) }, cpuSeconds);
}

function blame(identity: Identity, { start, text }: Message, cpuSeconds: number, name?: string): Verdict {
  const why = {
    failure: failure('elaboration', text),
    place: describePosition(start),
    ...(name && { name }),
  };
  return refuse(identity, why, cpuSeconds);
}

/** After an error Lean continues with `sorry`; the error is the reason worth showing. */
function isWithin({ start }: Message, declared: Pick<Declared, 'start' | 'end'>): boolean {
  return !isBefore(start, declared.start) && !isBefore(declared.end, start);
}
