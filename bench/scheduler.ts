import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../src/core/clock.ts';
import { learnWeights } from '../src/core/difficulty.ts';
import { PreambleFamily } from '../src/lean/workers/preambles.ts';
import { openLedger } from '../src/store/open.ts';
import { Story } from './scheduler-story.ts';
import { reaches, renderTable, type Figure } from './table.ts';

/**
 * What a decision costs with few goals and with many. A decision: choose a goal, open it, choose its arms, learn how they
 * did, park it for the next round. Its cost must not grow with the number of goals, nor that of a preamble's steps; and a run
 * that learns from 2,000 goals starts at once.
 */
const few = 1000;
const many = 100_000;
const decisions = 2000;
const lessons = 2000;

// the first time is for the compiler
decisionMs(few);
const [decision, manyDecision] = [decisionMs(few), decisionMs(many)];
const [steps, manySteps] = [stepsMs(few), stepsMs(many)];
const ratio = { unit: '', floor: 2, aim: 1.5, smallerIsBetter: true };
const figures: Figure[] = [
  { name: `a decision, ${few} goals`, value: 1000 * decision, unit: 'µs' },
  { name: `a decision, ${many} goals`, value: 1000 * manyDecision, unit: 'µs' },
  { name: 'a decision, many ÷ few', value: manyDecision / decision, ...ratio },
  { name: `steps to a preamble, ${many} known`, value: 1000 * manySteps, unit: 'µs' },
  { name: 'steps, many ÷ few', value: manySteps / steps, ...ratio },
  {
    name: `learn from ${lessons} goals`,
    value: await learnSeconds(),
    unit: 's',
    floor: 0.2,
    smallerIsBetter: true,
  },
];
console.log(renderTable(figures));
process.exitCode = figures.every(({ value, floor }) => floor === undefined || reaches(value, floor, true))
  ? 0
  : 1;

function decisionMs(goals: number): number {
  const story = new Story();
  for (let number = 0; number < goals; number++) story.add(number);
  const isEnough = Math.min(decisions, goals / 2);
  return (
    timed(() => {
      for (let number = 0; number < isEnough; number++) story.decide();
    }) / isEnough
  );
}

/** Goals of one file depend on growing beginnings of it; those of other files are as many. */
function stepsMs(preambles: number): number {
  const family = new PreambleFamily();
  const lines = Array.from({ length: 100 }, (_, line) => `def own${line} := ${line}\n`);
  const beginnings = lines.map((_, line) => lines.slice(0, line + 1).join(''));
  family.expect(beginnings);
  family.expect(Array.from({ length: preambles }, (_, number) => `def other${number} := ${number}\n`));
  const whole = beginnings.at(-1) ?? '';
  const rounds = 200;
  return (
    timed(() => {
      for (let round = 0; round < rounds; round++) family.stepsTo(whole);
    }) / rounds
  );
}

/** From the ledger to the weights: what every run does before it begins. */
async function learnSeconds(): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-scheduler-'));
  try {
    await using ledger = await openLedger(path.join(folder, 'ledger.db'), { clock: systemClock });
    const story = new Story({ keeps: true });
    for (let number = 0; number < lessons; number++) story.close(number);
    await ledger.journal.append(story.events);
    const begun = process.threadCpuUsage();
    learnWeights(await ledger.experience.lessons(lessons));
    return milliseconds(process.threadCpuUsage(begun)) / 1000;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** CPU time, in milliseconds: others may be busy on this machine. */
function timed(work: () => void): number {
  const begun = process.threadCpuUsage();
  work();
  return milliseconds(process.threadCpuUsage(begun));
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
