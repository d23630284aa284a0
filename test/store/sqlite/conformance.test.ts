import { experienceHolds } from '../conformance/experience.ts';
import { journalKeeps } from '../conformance/journal.ts';
import { ticketsStand } from '../conformance/tickets.ts';
import { viewsShow } from '../conformance/views.ts';
import { temporaryLedger } from '../ledger/temporary.ts';

/** SQLite under the suites that every ledger is put under. */
journalKeeps(temporaryLedger);
experienceHolds(temporaryLedger);
viewsShow(temporaryLedger);
ticketsStand(temporaryLedger);
