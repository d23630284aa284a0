import { isDeepStrictEqual } from 'node:util';
import type { RunEvent } from '../../shared/events.ts';
import { nextGoal, nextStep, type NextStep } from './decide.ts';
import { Schedule } from './schedule.ts';

/** A decision of a recorded run that today's rules would not make. */
export interface Difference {
  readonly event: RunEvent;
  readonly instead: NextStep | string | undefined;
}

/** Repeats every decision of a run from its events and lists those that differ. */
export function replayDecisions(events: Iterable<RunEvent>): {
  decisions: number;
  differences: Difference[];
} {
  const schedule = new Schedule();
  const differences: Difference[] = [];
  let decisions = 0;
  for (const event of events) {
    const instead = decideAgain(schedule, event);
    if (instead !== undefined) {
      decisions++;
      if (!instead.agrees) differences.push({ event, instead: instead.answer });
    }
    schedule.apply(event);
  }
  return { decisions, differences };
}

interface Again {
  readonly agrees: boolean;
  readonly answer: NextStep | string | undefined;
}

/** Undefined if the event is not a decision. */
function decideAgain(schedule: Schedule, event: RunEvent): Again | undefined {
  if (event.type === 'goal-opened') {
    const answer = nextGoal(schedule, event.at)?.goal;
    return { agrees: answer === event.goal, answer };
  }
  if (event.type === 'slate-started') {
    const answer = nextStep(schedule, event.goal, event.at);
    const { type: _type, run: _run, at: _at, seq: _seq, ...body } = event;
    return { agrees: answer.kind === 'slate' && isDeepStrictEqual(answer.body, body), answer };
  }
  // parking a goal that could not be opened is not a decision
  if (event.type === 'goal-parked' && schedule.goal(event.goal).offers.length > 0) {
    const answer = nextStep(schedule, event.goal, event.at, false);
    return { agrees: answer.kind === 'park' && answer.body.reason === event.reason, answer };
  }
  return undefined;
}
