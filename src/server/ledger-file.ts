import { statSync } from 'node:fs';
import type { Clock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import type { ControlRequested } from '../shared/events.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { openLedger } from '../store/ledger/open.ts';

/**
 * The ledger that a dashboard looks at. It reads through a connection that cannot write; a file that somebody has replaced
 * by another (a measured run begins with an empty one) is opened anew.
 */
export class LedgerFile {
  readonly file: string;
  readonly #clock: Clock;
  #reader: Ledger | undefined;
  #identity = '';

  /** Makes the file, or brings it up to date, where that is needed: a dashboard may be there before the first run. */
  constructor(file: string, clock: Clock) {
    this.file = file;
    this.#clock = clock;
    openLedger(file, { clock }).close();
  }

  read(): Ledger {
    const identity = identityOf(this.file);
    if (this.#reader && (identity === '' || identity === this.#identity)) return this.#reader;
    this.#reader?.close();
    this.#reader = undefined;
    this.#reader = this.#open();
    this.#identity = identityOf(this.file);
    return this.#reader;
  }

  /** The number of the event. */
  request(run: string, body: ControlRequested): number {
    using ledger = openLedger(this.file, { clock: this.#clock });
    return ledger.append({ type: 'control-requested', run, at: this.#clock.date().getTime(), ...body });
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }

  #open(): Ledger {
    const options = { clock: this.#clock, readOnly: true };
    try {
      return openLedger(this.file, options);
    } catch (error) {
      // an empty file, or one of an older orch: whoever opens it to write completes it
      if (!(error instanceof UserError) || error.code !== 'ledger-older') throw error;
      openLedger(this.file, { clock: this.#clock }).close();
      return openLedger(this.file, options);
    }
  }
}

/** Empty while there is no file. */
function identityOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.dev}:${found.ino}` : '';
}
