import type { GoalDetail, GoalInRun } from '../../../shared/ledger.ts';
import type { Views } from '../ledger.ts';
import type { Reader } from './reader.ts';

type GoalViews = Pick<Views, 'goalsOf' | 'uncheckedGoals' | 'goalList' | 'goalStates' | 'goal'>;

const columns = `run, goal, statement, topic, label, difficulty, priority, source, requester, goals.goal_hash, fingerprint, status,
  until, ticket, attempts, goal_status.cpu_seconds, latest_error, refuted, reason`;
const latest = `(SELECT at FROM finished_attempts AS its
  WHERE its.run = goals.run AND its.goal = goals.goal ORDER BY its.seq DESC LIMIT 1)`;
const runsListed = 50;

export const goalViews = (reader: Reader): GoalViews => ({
  goalsOf: async (run) =>
    await reader.rows(
      `SELECT ${columns} FROM goals JOIN goal_status USING (run, goal) WHERE run = $1 ORDER BY seq`,
      [run],
    ),
  uncheckedGoals: async (judge) =>
    await reader.rows(
      `SELECT run, goal FROM proofs GROUP BY run, goal
       HAVING max(CASE WHEN judge = $1 AND assurance IN ('replayed', 'second-kernel') THEN 1 ELSE 0 END) = 0`,
      [judge],
    ),
  async goalList(run, goals) {
    const select = `SELECT ${columns}, ${latest} AS latest FROM goals JOIN goal_status USING (run, goal) WHERE run = $1`;
    if (goals === undefined) return await reader.rows(`${select} ORDER BY seq`, [run]);
    const isWanted = reader.dialect.isOneOf('goal', '$2');
    return await reader.rows(`${select} AND ${isWanted} ORDER BY seq`, [run, goals]);
  },
  goalStates: async (run) =>
    await reader.rows(
      `SELECT goal, requester, status, label, difficulty, goal_status.cpu_seconds
       FROM goals JOIN goal_status USING (run, goal) WHERE run = $1 ORDER BY seq`,
      [run],
    ),
  goal: async (run, goal) => await selectGoalDetail(reader, run, goal),
});

/** A goal with everything that happened to it. */
async function selectGoalDetail(reader: Reader, run: string, goal: string): Promise<GoalDetail | undefined> {
  const of = async <Row>(sql: string, json: readonly string[] = []): Promise<Row[]> =>
    await reader.rows(`${sql} WHERE run = $1 AND goal = $2 ORDER BY seq`, [run, goal], json);
  const [[itself], slates, attempts, verdicts, proofs] = await Promise.all([
    of<GoalItself>(
      `SELECT ${columns}, preamble, features, (SELECT body -> 'task' FROM events WHERE events.seq = goals.seq) AS task
       FROM goals JOIN goal_status USING (run, goal)`,
      ['features', 'task'],
    ),
    of<GoalDetail['slates'][number]>('SELECT seq, at, slot, round, limits, arms, reason FROM slates', [
      'limits',
      'arms',
    ]),
    of<GoalDetail['attempt_rows'][number]>(
      `SELECT seq, attempt, strategy, arm, signature, params, started, outcome, tactics, next_goals, premises, cache_hits,
         cpu_seconds, wall_seconds, peak_bytes, gpu_seconds, cloud_seconds, input_tokens, output_tokens, microdollars, error,
         parent, reward,
         (SELECT body -> 'model' FROM events WHERE events.seq = finished_attempts.seq) AS model
       FROM finished_attempts`,
      ['params', 'tactics', 'next_goals', 'premises', 'model'],
    ),
    of<GoalDetail['verdicts'][number]>(
      'SELECT seq, at, attempt, strategy, arm, proof, verdict, kind, message, cpu_seconds FROM verdicts',
    ),
    of<GoalDetail['proofs'][number]>(
      `SELECT seq, at, attempt, strategy, arm, proof, premises, assurance, axioms, assumes, toolchain, judge, fingerprint
       FROM proofs`,
      ['premises', 'axioms', 'assumes'],
    ),
  ]);
  if (itself === undefined) return undefined;
  const runs = await selectRunsOf(reader, itself);
  return { ...itself, slates, attempt_rows: attempts, verdicts, proofs, runs };
}

type GoalItself = Omit<GoalDetail, 'slates' | 'attempt_rows' | 'verdicts' | 'proofs' | 'runs'>;

/** By its identity, or by its name if it was never opened. */
async function selectRunsOf({ rows }: Reader, { goal, goal_hash }: GoalItself): Promise<GoalInRun[]> {
  const [which, value] = goal_hash === null ? ['goals.goal', goal] : ['goals.goal_hash', goal_hash];
  return await rows(
    `SELECT run, goal, runs.started, (SELECT body ->> 'label' FROM events WHERE events.seq = runs.seq) AS label,
       command, status, attempts, goal_status.cpu_seconds
     FROM goals JOIN goal_status USING (run, goal) JOIN runs USING (run)
     WHERE ${which} = $1 ORDER BY runs.seq DESC LIMIT ${runsListed}`,
    [value],
  );
}
