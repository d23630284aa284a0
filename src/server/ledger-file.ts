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
  #opening: Promise<Ledger> | undefined;
  #reader: Ledger | undefined;
  #identity = '';

  /** Makes the file, or brings it up to date, where that is needed: a dashboard may be there before the first run. */
  static async open(file: string, clock: Clock): Promise<LedgerFile> {
    await (await openLedger(file, { clock })).close();
    return new LedgerFile(file, clock);
  }

  private constructor(file: string, clock: Clock) {
    this.file = file;
    this.#clock = clock;
  }

  async read(): Promise<Ledger> {
    const identity = identityOf(this.file);
    if (this.#reader && (identity === '' || identity === this.#identity)) return this.#reader;
    // whoever asks meanwhile waits for the same one
    this.#opening ??= this.#reopen().finally(() => (this.#opening = undefined));
    return await this.#opening;
  }

  /** The number of the event. */
  async request(run: string, body: ControlRequested): Promise<number> {
    await using ledger = await openLedger(this.file, { clock: this.#clock });
    const at = this.#clock.date().getTime();
    return await ledger.journal.append([{ type: 'control-requested', run, at, ...body }]);
  }

  async close(): Promise<void> {
    await this.#reader?.close();
    this.#reader = undefined;
  }

  async #reopen(): Promise<Ledger> {
    const before = this.#reader;
    this.#reader = undefined;
    const reader = await this.#open();
    this.#reader = reader;
    // whoever is in the middle of an answer finishes it on the old one
    setImmediate(() => void before?.close());
    this.#identity = identityOf(this.file);
    return reader;
  }

  async #open(): Promise<Ledger> {
    const options = { clock: this.#clock, readOnly: true };
    try {
      return await openLedger(this.file, options);
    } catch (error) {
      // an empty file, or one of an older orch: whoever opens it to write completes it
      if (!(error instanceof UserError) || error.code !== 'ledger-older') throw error;
      await (await openLedger(this.file, { clock: this.#clock })).close();
      return await openLedger(this.file, options);
    }
  }
}

/** Empty while there is no file. */
function identityOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.dev}:${found.ino}` : '';
}
