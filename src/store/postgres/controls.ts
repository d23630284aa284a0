import type { ControlRequest } from '../../core/scheduler/domain.ts';
import type { ControlRow } from '../../shared/api.ts';
import type { Database } from './database.ts';

export async function selectControlRequests(
  database: Database,
  run: string,
  since: number,
): Promise<ControlRequest[]> {
  return await database.all(
    `SELECT seq, body ->> 'action' AS action, body ->> 'goal' AS goal, (body ->> 'value')::double precision AS value
     FROM events WHERE type = 'control-requested' AND run = $1 AND seq > $2 ORDER BY seq`,
    run,
    since,
  );
}

/** Requests with what became of them, newest first. */
export async function selectControls(database: Database, run: string, limit: number): Promise<ControlRow[]> {
  return await database.all(
    `SELECT request.seq, request.at, request.body ->> 'action' AS action, request.body ->> 'goal' AS goal,
       (request.body ->> 'value')::double precision AS value,
       CASE WHEN answer.seq IS NOT NULL THEN
         json_build_object('at', answer.at, 'refused', answer.body ->> 'refused') END AS obeyed
     FROM events AS request
     LEFT JOIN events AS answer ON answer.type = 'control-obeyed' AND answer.run = request.run
       AND answer.seq > request.seq AND (answer.body ->> 'request')::bigint = request.seq
     WHERE request.type = 'control-requested' AND request.run = $1
     ORDER BY request.seq DESC LIMIT $2`,
    run,
    limit,
  );
}

export async function selectIsPaused(database: Database, run: string): Promise<boolean> {
  const [row] = await database.all<{ action: string }>(
    `SELECT body ->> 'action' AS action FROM events
     WHERE type = 'control-obeyed' AND run = $1 AND body ->> 'action' IN ('pause', 'resume')
     ORDER BY seq DESC LIMIT 1`,
    run,
  );
  return row?.action === 'pause';
}
