import { messageOf } from '../../core/errors.ts';
import { failed, success, type Result } from '../../core/result.ts';
import * as z from 'zod';
import type { Message, Position } from '../base/protocol.ts';

/** The protocol of leanprover-community/repl: JSON objects with a blank line after each, both ways (docs/INTEGRATIONS.md). */

const number = z.int().min(0);
/** Time limit of this request in seconds; our extension. */
const timeout = z.number().gt(0).max(86_400).optional();

const ProofStep = z.object({ tactic: z.string(), proofState: number, timeout });
const PickleEnvironment = z.object({ pickleTo: z.string().min(1), env: number });
const UnpickleEnvironment = z.object({ unpickleEnvFrom: z.string().min(1) });
const PickleProofState = z.object({ pickleTo: z.string().min(1), proofState: number });
const UnpickleProofState = z.object({
  unpickleProofStateFrom: z.string().min(1),
  env: number.nullish(),
});
const wanted = {
  allTactics: z.boolean().nullish(),
  rootGoals: z.boolean().nullish(),
  /** `full`, `tactics`, `original` or `substantive`; any other value is ignored. */
  infotree: z.string().nullish(),
  /** Our extension: the types of the declarations in the text. */
  declTypes: z.boolean().nullish(),
};
const Command = z.object({
  cmd: z.string(),
  env: number.nullish(),
  gc: z.boolean().nullish(),
  timeout,
  ...wanted,
});
const File = z.object({ path: z.string().min(1), env: number.nullish(), timeout, ...wanted });
/** Our extension: the tactics that led to a proof state, written into its `sorry`, and the text run again. */
const Replay = z.object({ replay: number, timeout });
/** Our extension: states that are no longer needed. */
const Discard = z.object({
  discard: z.object({ envs: z.array(number).default([]), proofStates: z.array(number).default([]) }),
});

/** In the order in which the original tries them: the first match counts. */
const kinds = {
  step: ProofStep,
  'pickle-env': PickleEnvironment,
  'unpickle-env': UnpickleEnvironment,
  'pickle-state': PickleProofState,
  'unpickle-state': UnpickleProofState,
  command: Command,
  file: File,
  replay: Replay,
  discard: Discard,
} as const;

export type ReplRequest = {
  [Kind in keyof typeof kinds]: { readonly kind: Kind } & z.infer<(typeof kinds)[Kind]>;
}[keyof typeof kinds];

interface Place {
  readonly line: number;
  readonly column: number;
}

export interface ReplMessage {
  readonly severity: 'trace' | 'info' | 'warning' | 'error';
  readonly pos: Place;
  readonly endPos: Place | null;
  readonly data: string;
}

export interface ReplSorry {
  readonly pos?: Place;
  readonly endPos?: Place;
  readonly goal: string;
  /** Absent if Lean could not build one. */
  readonly proofState?: number;
}

interface ReplTactic extends Omit<ReplSorry, 'goal'> {
  readonly tactic: string;
  readonly goals: string;
  readonly usedConstants: readonly string[];
}

export interface EnvironmentAnswer {
  readonly env: number;
  readonly messages?: readonly ReplMessage[];
  readonly sorries?: readonly ReplSorry[];
  readonly tactics?: readonly ReplTactic[];
  readonly infotree?: readonly unknown[];
  readonly declTypes?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly type: string;
    readonly pos: Place;
    readonly endPos: Place;
  }[];
}

/** Empty lists are left out. `cmd` is the text that was run for a replay. */
export type ReplAnswer =
  | (EnvironmentAnswer & { readonly cmd?: string })
  | {
      readonly proofState: number;
      readonly goals: readonly string[];
      readonly messages?: readonly ReplMessage[];
      readonly sorries?: readonly ReplSorry[];
      readonly traces?: readonly string[];
      readonly proofStatus: string;
    }
  | { readonly discarded: number }
  | { readonly message: string };

/** A request, or why it is invalid. */
export function parseRequest(text: string): Result<ReplRequest> {
  let body: unknown;
  try {
    body = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return failed({ kind: 'json', message: `Could not parse JSON:\n${messageOf(error)}` });
  }
  for (const [kind, schema] of Object.entries(kinds)) {
    const { data } = schema.safeParse(body);
    if (data) return success({ kind, ...data } as ReplRequest);
  }
  const asked =
    'cmd, path, tactic with proofState, pickleTo, unpickleEnvFrom, unpickleProofStateFrom, replay or discard';
  return failed({
    kind: 'request',
    message: `Could not parse as a valid JSON command:\nexpected one of ${asked}`,
  });
}

/** Splits a stream of lines at blank lines. Line ends inside a request are dropped, as in the original. */
export class BlankLineFraming {
  readonly #limit: number;
  #parts: string[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The request that this line completes, if any; null for one that is too long. */
  push(line: string | undefined): string | null | undefined {
    if (line?.trim() === '') return this.end();
    this.#length += line?.length ?? this.#limit + 1;
    if (line !== undefined && this.#length <= this.#limit) this.#parts.push(line.trimEnd());
    return undefined;
  }

  /** At the end of input, the rest is a request. */
  end(): string | null | undefined {
    const [text, length] = [this.#parts.join(''), this.#length];
    this.#parts = [];
    this.#length = 0;
    if (length > this.#limit) return null;
    return text === '' || /^(?:#|--)/.test(text) ? undefined : text;
  }
}

export function replPlace([line, column]: Position): Place {
  return { line, column };
}

export function replMessage({ severity, start, end, text }: Message): ReplMessage {
  return { severity, pos: replPlace(start), endPos: end ? replPlace(end) : null, data: text.trim() };
}
