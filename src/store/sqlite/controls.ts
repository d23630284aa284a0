import type { ControlRequest } from '../../core/scheduler/domain.ts';
import type { ControlRow } from '../../shared/api.ts';
import { decode, type Database } from './database.ts';

export function selectControlRequests(database: Database, run: string, since: number): ControlRequest[] {
  return database.all<ControlRequest>(
    `SELECT seq, body ->> 'action' AS action, body ->> 'goal' AS goal, body ->> 'value' AS value FROM events
     WHERE type = 'control-requested' AND run = ? AND seq > ?
     ORDER BY seq`,
    run,
    since,
  );
}

/** Requests with what became of them, newest first. */
export function selectControls(database: Database, run: string, limit: number): ControlRow[] {
  return decode(
    database.all(
      `SELECT request.seq, request.at, request.body ->> 'action' AS action, request.body ->> 'goal' AS goal,
         request.body ->> 'value' AS value,
         iif(answer.seq IS NULL, NULL, json_object('at', answer.at, 'refused', answer.body ->> 'refused')) AS obeyed
       FROM events AS request
       LEFT JOIN events AS answer ON answer.type = 'control-obeyed'
         AND answer.run = request.run AND answer.seq > request.seq AND answer.body ->> 'request' = request.seq
       WHERE request.type = 'control-requested' AND request.run = ?
       ORDER BY request.seq DESC LIMIT ?`,
      run,
      limit,
    ),
    'obeyed',
  );
}

export function selectIsPaused(database: Database, run: string): boolean {
  const [row] = database.all<{ action: string }>(
    `SELECT body ->> 'action' AS action FROM events
     WHERE type = 'control-obeyed' AND run = ?
       AND body ->> 'action' IN ('pause', 'resume')
     ORDER BY seq DESC LIMIT 1`,
    run,
  );
  return row?.action === 'pause';
}
