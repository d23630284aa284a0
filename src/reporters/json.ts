import * as z from 'zod';
import type { EventOf, GoalAdded, GoalClosed, RunEvent } from '../shared/events.ts';
import { RunSoFar } from './record.ts';
import type { Reporter, Streams } from './reporter.ts';
import { oneLine } from './width.ts';

/** NDJSON on stdout and nothing else there: one line per closed goal, then the open goals and the summary. */
export function jsonReporter({ stdout, stderr }: Streams): Reporter {
  const record = new RunSoFar();
  const print = (line: object): unknown => stdout.write(`${JSON.stringify(line)}\n`);
  const printGoal = (closed: GoalClosed): void => {
    const { type, id, ...rest } = goalJson(closed);
    print({ type, id, ...whereabouts(record.goals.get(id)?.added), ...rest });
  };
  const talk = (text: string): void => void stderr.write(text);
  return {
    name: 'json',
    event(event: RunEvent) {
      record.apply(event);
      if (event.type === 'goal-closed' && record.goals.has(event.goal)) printGoal(event);
      if (event.type === 'note') talk(`orch: ${oneLine(event.text)}\n`);
      if (event.type === 'run-finished') {
        for (const goal of record.leftOpen()) printGoal(goal);
        print(summaryJson(record.started, event));
      }
    },
    talk,
    close: () => undefined,
  };
}

/** The origin of a goal and its statement: a `sorry` has a range, a row only a line. */
function whereabouts(added: GoalAdded | undefined) {
  const [, file, line] = /^(.+):(\d+)$/.exec(added?.source ?? '') ?? [];
  const place = Task.safeParse(added?.task).data?.place;
  const start = line === undefined ? undefined : [Number(line), 0];
  return {
    file: file ?? null,
    range: place ? [place.start, place.end] : start ? [start, start] : null,
    statement: added?.statement ?? null,
  };
}

/** The part of a domain's task with the goal's position. */
const Task = z.object({ place: z.object({ start: z.array(z.number()), end: z.array(z.number()) }) });

/** The fields of a goal in JSON output, in documented order. */
export function goalJson(goal: GoalClosed) {
  return {
    type: 'goal' as const,
    id: goal.goal,
    solved: goal.solved,
    refuted: goal.refuted,
    proof: goal.proof,
    assurance: goal.assurance,
    strategy: goal.strategy,
    arm: goal.arm,
    attempts: goal.attempts,
    cpu_seconds: goal.cpu_seconds,
    axioms: goal.axioms,
    assumes: goal.assumes,
    ...(goal.given && { given: goal.given }),
    reason: goal.reason,
  };
}

function summaryJson(started: EventOf<'run-started'> | undefined, finished: EventOf<'run-finished'>) {
  return {
    type: 'summary' as const,
    goals_total: finished.goals_total,
    goals_solved: finished.goals_solved,
    cpu_seconds: finished.cpu_seconds,
    wall_seconds: finished.wall_seconds,
    utilisation: finished.utilisation,
    toolchain: started?.toolchain ?? null,
    seed: started?.seed ?? null,
    reason: finished.reason,
    message: finished.message,
    lean_cpu_seconds: finished.lean_cpu_seconds,
    host_cpu_seconds: finished.host_cpu_seconds,
    version: started?.version ?? null,
    config: started?.config ?? null,
    run: finished.run,
  };
}
