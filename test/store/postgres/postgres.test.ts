import { describe } from 'vitest';
import { sharedPostgres } from '../../helpers/postgres.ts';
import { experienceHolds } from '../conformance/experience.ts';
import { journalKeeps } from '../conformance/journal.ts';
import { ticketsStand } from '../conformance/tickets.ts';
import { viewsShow } from '../conformance/views.ts';
import { bothAgree } from './agreement.ts';
import { emptyDatabase, temporaryPostgres } from './temporary.ts';
import { queueHolds } from './queue.ts';
import { pageReads } from './page.ts';
import { goalsTravel } from './remote.ts';
import { shelfHolds } from './shelf.ts';
import { upkeepWorks } from './upkeep.ts';

/** PostgreSQL under the suites for every ledger, and compared with SQLite. One file, so that its tests share a server. */
describe('PostgreSQL', () => {
  journalKeeps(temporaryPostgres);
  experienceHolds(temporaryPostgres);
  viewsShow(temporaryPostgres);
  ticketsStand(temporaryPostgres);
  bothAgree(temporaryPostgres, emptyDatabase);
  upkeepWorks(temporaryPostgres, sharedPostgres);
  queueHolds(temporaryPostgres);
  goalsTravel(temporaryPostgres);
  shelfHolds(temporaryPostgres);
  pageReads(temporaryPostgres);
});
