import type { Views } from '../ledger.ts';
import type { Reader } from './reader.ts';

type ControlViews = Pick<Views, 'controlRequests' | 'controlsOf' | 'isPaused'>;

export const controlViews = ({ rows, dialect }: Reader): ControlViews => ({
  controlRequests: async (run, since) =>
    await rows(
      `SELECT seq, body ->> 'action' AS action, body ->> 'goal' AS goal,
         CAST(body ->> 'value' AS double precision) AS value
       FROM events WHERE type = 'control-requested' AND run = $1 AND seq > $2 ORDER BY seq`,
      [run, since],
    ),
  async controlsOf(run, limit) {
    const obeyed = dialect.object({ at: 'answer.at', refused: "answer.body ->> 'refused'" });
    return await rows(
      `SELECT request.seq, request.at, request.body ->> 'action' AS action, request.body ->> 'goal' AS goal,
         CAST(request.body ->> 'value' AS double precision) AS value,
         CASE WHEN answer.seq IS NOT NULL THEN ${obeyed} END AS obeyed
       FROM events AS request
       LEFT JOIN events AS answer ON answer.type = 'control-obeyed' AND answer.run = request.run
         AND answer.seq > request.seq AND CAST(answer.body ->> 'request' AS bigint) = request.seq
       WHERE request.type = 'control-requested' AND request.run = $1
       ORDER BY request.seq DESC LIMIT $2`,
      [run, limit],
      ['obeyed'],
    );
  },
  async isPaused(run) {
    const [row] = await rows<{ action: string }>(
      `SELECT body ->> 'action' AS action FROM events
       WHERE type = 'control-obeyed' AND run = $1 AND body ->> 'action' IN ('pause', 'resume')
       ORDER BY seq DESC LIMIT 1`,
      [run],
    );
    return row?.action === 'pause';
  },
});
