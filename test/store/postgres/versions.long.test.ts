import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { openLedger } from '../../../src/store/open.ts';
import { run } from '../../helpers/orch.ts';
import { PostgresServer } from '../../helpers/postgres.ts';
import { offeredPostgres, providedPostgres } from '../../helpers/provided.ts';
import { unpackPostgres } from '../../helpers/unpack-postgres.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const suites = ['test/store/postgres/postgres.test.ts', 'test/store/old-versions.test.ts'];

/** The programs of a version, from its npm package. */
function programsOf(version: number): string {
  unpackPostgres(version);
  return path.join(providedPostgres(version) ?? '', 'native/bin');
}

test.for(offeredPostgres.filter((version) => version >= 13))(
  'PostgreSQL %i passes the suites of the ledger',
  async (version) => {
    const env = { POSTGRES_PROGRAMS: programsOf(version) };
    const { code, stdout, stderr } = await run('npx', ['vitest', 'run', ...suites], { cwd: root, env });
    const said = code === 0 ? '' : `${stdout}\n${stderr}`;
    const failed = said.split('\n').filter((line) => /FAIL|Error/.test(line));
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
  },
);

test.for(offeredPostgres.filter((version) => version < 13))(
  'PostgreSQL %i is refused, and nothing is written',
  async (version) => {
    vi.stubEnv('POSTGRES_PROGRAMS', programsOf(version));
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = new PostgresServer();
    try {
      await server.start();
      const url = await server.database();
      await expect(openLedger(url, { clock: systemClock })).rejects.toThrow('PostgreSQL 13 or newer');
      const client = new pg.Client(url);
      await client.connect();
      const { rowCount } = await client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
      await client.end();
      expect(rowCount).toBe(0);
    } finally {
      await server.remove();
    }
  },
);
