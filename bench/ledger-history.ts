import {
  attemptFinished,
  goalAdded,
  goalClosed,
  goalExamined,
  limits,
  runStarted,
  sample,
  ticketOpened,
} from '../test/helpers/event-bodies.ts';
import { outcomeKinds, type EventBodies, type EventType, type RunEvent } from '../src/shared/events.ts';

export const attemptsOfAGoal = 10;
const arms = ['close', 'library', 'cases', 'induct', 'structure', 'combine'].map((name) => `micro/${name}`);
const allArms = [...arms, 'search/shallow', 'search/deep', 'reprover/templates', 'reprover/model'];

const runFinished = {
  reason: 'done',
  message: null,
  goals_total: 1000,
  goals_solved: 500,
  cpu_seconds: 1,
  lean_cpu_seconds: 1,
  host_cpu_seconds: 0,
  wall_seconds: 1,
  utilisation: 0.5,
} as const;
const attempt = {
  ...attemptFinished,
  tactics: ['simp_all [Nat.add_comm]'],
  premises: ['Nat.add_comm'],
  peak_bytes: 3e8,
  error: 'simp made no progress',
  context: 'easy',
};
const verdict = {
  proof: 'by omega',
  premises: [],
  verdict: 'accepted',
  kind: 'proved',
  message: 'proved',
  assurance: 'replayed',
  axioms: [],
  assumes: [],
  toolchain: 'lean',
  cpu_seconds: 0.05,
} as const;
const closed = { ...goalClosed, attempts: attemptsOfAGoal, cpu_seconds: 4 };

/** What a run would write; every seventh attempt is a success, every tenth goal leaves a ticket. */
export function* history(run: number, goals: number, from: number): Iterable<RunEvent> {
  let at = from;
  const tell = <Type extends EventType>(type: Type, body: EventBodies[Type]): RunEvent =>
    ({ type, run: `run-${run}`, at: (at += 1200), ...body }) as RunEvent;
  yield tell('run-started', runStarted);
  for (let index = 0; index < goals; index++) {
    const goal = `g${index}`;
    // half of the goals come again in every run
    const goal_hash = index % 2 === 0 ? `hash-${index}` : `hash-${run}-${index}`;
    const named = { goal, goal_hash, fingerprint: 'print' };
    yield tell('goal-added', { ...goalAdded, goal });
    yield tell('goal-examined', { ...goalExamined, ...named, context: 'easy', features: { nodes: index } });
    for (let which = 0; which < attemptsOfAGoal; which++) {
      const arm = allArms[which % allArms.length] ?? '';
      const made = {
        ...named,
        attempt: `${run}-${index}-${which}`,
        strategy: arm.split('/')[0] ?? '',
        arm,
        signature: `${arm}-1`,
        parent: null,
      };
      yield tell('attempt-started', { ...made, slot: 'light', limits });
      const number = index * attemptsOfAGoal + which;
      const outcome = number % 7 === 0 ? 'solved' : (outcomeKinds[1 + (number % 6)] ?? 'failed');
      yield tell('attempt-finished', {
        ...attempt,
        ...made,
        started: at,
        outcome,
        reward: outcome === 'solved' ? 0.7 : 0,
      });
      if (outcome === 'solved') yield tell('candidate-judged', { ...verdict, ...made });
    }
    if (index % 100 === 0) yield tell('ticket-opened', { ...ticketOpened, ticket_id: `lem-${run}-${index}` });
    yield tell('goal-closed', { ...closed, goal, solved: index % 2 === 0 });
    yield tell('sample', sample);
  }
  yield tell('run-finished', runFinished);
}
