import { experienceHolds } from '../conformance/experience.ts';
import { journalKeeps } from '../conformance/journal.ts';
import { ticketsStand } from '../conformance/tickets.ts';
import { viewsShow } from '../conformance/views.ts';
import { temporaryLedger } from '../ledger/temporary.ts';

/** Runs the conformance suites of every ledger on SQLite. */
journalKeeps(temporaryLedger);
experienceHolds(temporaryLedger);
viewsShow(temporaryLedger);
ticketsStand(temporaryLedger);
