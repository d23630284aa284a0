import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { Assurance } from '../../src/shared/assurance.ts';
import type { Verdict } from '../../src/lean/gate/verdict.ts';
import { Gate, stages, type Stage } from '../../src/lean/gate/gate.ts';
import { LeanPool } from '../../src/lean/workers/pool.ts';
import { judgeForged, openGate, worst } from './run.ts';
import { attacks } from './suite.ts';
import { slice } from '../helpers/tier.ts';

/** For each stage an attack that nothing else stops. */
const stoppedBy: Readonly<Record<Stage, string>> = {
  form: 'a bound variable beyond every bound',
  binding: 'the export of another theorem of the same name',
  kernel: 'the type of the statement over the proof of another',
  advisories: 'an unchecked parameter of a nested type: a projection out of another structure',
  axioms: 'in an export, where no elaborator looks',
  account: 'a macro that swallows a theorem',
};

/** The assurance of an acceptance when a stage is missing. */
const worth: Readonly<Record<Stage, Assurance>> = {
  form: 'elaborated',
  binding: 'axioms-clean',
  kernel: 'statement-bound',
  advisories: 'statement-bound',
  axioms: 'elaborated',
  account: 'elaborated',
};

/**
 * The kernel binds: it adds the theorem with the statement's type, and refuses values that mention a refused
 * constant. Without it, nothing checks whether the value has that type, or what it mentions.
 */
const fallsToo: readonly (readonly [missing: Stage, falls: Stage])[] = [
  ['kernel', 'binding'],
  ['kernel', 'advisories'],
];

/** Attacks that must still be stopped without a stage. */
function othersOf(missing: Stage): Stage[] {
  const others = stages.filter(
    (stage) => stage !== missing && !fallsToo.some(([one, other]) => one === missing && other === stage),
  );
  return slice(others, 1);
}

/** Attacks that are tried without a stage, or with all of them. */
function triedWithout(missing: Stage | undefined): readonly Stage[] {
  if (missing === undefined) return stages;
  return [
    missing,
    ...othersOf(missing),
    ...fallsToo.flatMap(([one, other]) => (one === missing ? other : [])),
  ];
}

/** [the removed stage, or none; the stage whose attack is tried] → verdict */
const verdicts = new Map<string, Verdict>();
const key = (missing: Stage | undefined, attack: Stage): string => `${missing ?? 'none'} ${attack}`;

beforeAll(async () => {
  await using lean = await openGate();
  await using judges = new LeanPool(lean.pool.toolchain, systemClock, { slots: 1, spare: false });
  for (const missing of [undefined, ...stages]) {
    const gate = new Gate(
      lean.pool,
      judges,
      stages.filter((stage) => stage !== missing),
    );
    for (const stage of triedWithout(missing)) {
      const attack = attacks.find(({ disguise }) => disguise === stoppedBy[stage]);
      if (!attack || 'proof' in attack) throw new Error(`no attack is called "${stoppedBy[stage]}"`);
      const verdict =
        'candidate' in attack
          ? await judgeForged(gate, attack)
          : worst(await gate.checkFile({ text: attack.file }));
      verdicts.set(key(missing, stage), verdict);
    }
  }
});
afterAll(() => verdicts.clear());

describe.for(stages)('without the stage %s', (missing) => {
  test(`"${stoppedBy[missing]}" gets through`, () => {
    const verdict = verdicts.get(key(missing, missing));
    if (missing === 'form')
      // it proves nothing, but the judge crashes: careful reading prevents that
      expect(verdict).toMatchObject({ verdict: 'unknown', kind: 'crash' });
    else expect(verdict).toMatchObject({ verdict: 'accepted', assurance: worth[missing] });
  });

  test.for(othersOf(missing))('the attack on %s is still stopped', (stage) => {
    expect(verdicts.get(key(missing, stage))?.verdict).not.toBe('accepted');
  });
});

test.for(fallsToo)('without the stage %s the attack on %s gets through as well', ([missing, stage]) => {
  expect(verdicts.get(key(missing, stage))).toMatchObject({ verdict: 'accepted' });
});

test.for(stages)('with all stages the attack on %s is stopped', (stage) => {
  expect(verdicts.get(key(undefined, stage))?.verdict).not.toBe('accepted');
});
