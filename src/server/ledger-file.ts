import { statSync } from 'node:fs';
import type { Clock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import type { ControlRequested } from '../shared/events.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { openLedger } from '../store/open.ts';
import { isPostgresUrl } from '../store/ledger/place.ts';

/**
 * The ledger that a dashboard reads: absent (there is no file, or an empty one: an empty ledger in memory replaces it) → open (through
 * a connection that cannot write) → open again, when someone has replaced the file by another. The dashboard
 * never creates a file. In a PostgreSQL database named in the settings, it creates missing tables.
 */
export class LedgerFile {
  readonly file: string;
  readonly #clock: Clock;
  #opening: Promise<Ledger> | undefined;
  #reader: Ledger | undefined;
  #identity = '';

  /** Upgrades a ledger of an older orch. A dashboard may start before the first run. */
  static async open(file: string, clock: Clock): Promise<LedgerFile> {
    const ledger = new LedgerFile(file, clock);
    await ledger.read();
    return ledger;
  }

  private constructor(file: string, clock: Clock) {
    this.file = file;
    this.#clock = clock;
  }

  async read(): Promise<Ledger> {
    const identity = identityOf(this.file);
    // a missing file may reappear, so keep what was read
    if (this.#reader && (identity === '' || identity === this.#identity)) return this.#reader;
    // requests that arrive in the meantime share it
    this.#opening ??= this.#reopen().finally(() => (this.#opening = undefined));
    return await this.#opening;
  }

  /** The number of the event. */
  async request(run: string, body: ControlRequested): Promise<number> {
    await using ledger = await openLedger(this.file, { clock: this.#clock, create: false });
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
    // requests in progress finish on the old one
    setImmediate(() => void before?.close());
    this.#identity = identityOf(this.file);
    return reader;
  }

  async #open(): Promise<Ledger> {
    if (identityOf(this.file) === '') return await openLedger(':memory:', { clock: this.#clock });
    const options = { clock: this.#clock, readOnly: true };
    try {
      return await openLedger(this.file, options);
    } catch (error) {
      // a ledger of an older orch, or an empty database: the next writer completes it
      if (!(error instanceof UserError) || !/^(ledger-older|no-ledger)$/.test(error.code)) throw error;
      await (await openLedger(this.file, { clock: this.#clock })).close();
      return await openLedger(this.file, options);
    }
  }
}

/** Whether the file is missing or empty. A new writer's data may still be in the WAL file next to it. */
function identityOf(file: string): string {
  if (isPostgresUrl(file)) return file;
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  const isWritten =
    found && (found.size > 0n || (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0);
  return isWritten ? `${found.dev}:${found.ino}` : '';
}
