import type { Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { denseSeat } from '../lean/premises/dense.ts';
import type { RetrieverSeat } from '../lean/premises/retrieve.ts';
import { PremiseSource } from '../lean/premises/source.ts';
import { Models } from '../models/configured.ts';
import type { Model } from '../models/model.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import type { Lean } from './lean.ts';
import { premisesFolder } from './settings.ts';

/** Premises from the library and the ledger's proofs; the caller closes it. */
export function premiseSource(settings: Settings, { pool }: Lean, ledger?: Ledger): PremiseSource {
  return new PremiseSource({
    folder: premisesFolder(settings),
    toolchain: pool.toolchain,
    experience: ledger?.experience,
    shelf: ledger?.shelf,
    seats: seatsOf(settings),
  });
}

/** Additional retrievers that the settings ask for. */
function seatsOf(settings: Settings): RetrieverSeat[] {
  if (settings.encoder === undefined) return [];
  return [denseSeat(new Models(settings, process.env, systemClock).named(settings.encoder))];
}

/** The process that embeds a whole library. */
export function libraryEncoder(settings: Settings, name: string): Model {
  return new Models(settings, process.env, systemClock).unrecorded(name);
}
