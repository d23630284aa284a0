import { failed, success, type Result } from '../../core/result.ts';
import type { LeanEnvironment } from '../project/environment.ts';
import type { Lease } from '../workers/lease.ts';
import { describePosition, positionAfter } from '../base/positions.ts';
import type { Failure, Goal, OpenSorry, OperationResult, Piece, Position } from '../base/protocol.ts';
import { sourceName } from '../base/names.ts';
import { wholeStatement, type LeanGoal, type Place } from './goal.ts';
import { SourceText } from '../base/source-text.ts';
import { plainCode } from '../base/plain-code.ts';

/** A `sorry` of a file, several that form one goal, or a broken declaration. */
export type FileGoal = {
  readonly id: string;
  /** FILE:LINE */
  readonly source: string;
  /** The declaration that contains it. */
  readonly declaration: string;
  /** The position of each `sorry`; none in a broken declaration. */
  readonly sorries: readonly Pick<OpenSorry, 'start' | 'end' | 'form'>[];
  /** The goal, as Lean prints it. */
  readonly shown: Goal | undefined;
} & (
  | { readonly goal: LeanGoal }
  | { readonly goal: undefined; readonly message: string; readonly isBroken: boolean }
);

export interface FileRead {
  readonly goals: readonly FileGoal[];
  readonly parseError: string | undefined;
  /** Undeclared names that Lean turned into variables although they do not look like variables. */
  readonly loose: readonly string[];
}

/** Time limit for reading a file; only a broken file takes this long. */
const deadlineMs = 300_000;

/**
 * Everything unfinished in a text: each `sorry` becomes a goal or is listed with the reason; broken
 * declarations are listed too.
 */
export async function readLeanText(
  lease: Lease,
  raw: string,
  file: string,
  environment: LeanEnvironment,
): Promise<Result<FileRead, Failure>> {
  const source = new SourceText(raw);
  const body = { session: lease.rootSession, text: source.text };
  const read = await lease.request('read', body, { deadlineMs });
  if (!read.ok) return failed(read);
  const broken = read.pieces.filter(({ messages }) => messages.length > 0);
  const goals = read.pieces.flatMap((piece) => {
    const reader = new PieceReader(source, file, piece, environment, () =>
      inFileRule(source, source.before(piece.start, broken), read.loose),
    );
    return piece.messages.length > 0 ? [reader.broken()] : reader.goals();
  });
  lease.expect(goals.flatMap(({ goal }) => goal?.preamble ?? []));
  const unparsed = broken.find(({ parsed }) => !parsed);
  const parseError = unparsed && firstError(unparsed, file);
  return success({ goals: numbered(goals), parseError, loose: read.loose.names });
}

class PieceReader {
  readonly #source: SourceText;
  readonly #file: string;
  readonly #piece: Piece;
  readonly #preamble: () => string;
  readonly #environment: LeanEnvironment;

  constructor(
    source: SourceText,
    file: string,
    piece: Piece,
    environment: LeanEnvironment,
    preamble: () => string,
  ) {
    this.#environment = environment;
    this.#source = source;
    this.#file = file;
    this.#piece = piece;
    this.#preamble = preamble;
  }

  broken(): FileGoal {
    const { name, kind, start } = this.#piece;
    return {
      id: name === '' ? `${kind === 'missing' ? 'text' : kind} at line ${start[0]}` : name,
      source: `${this.#file}:${start[0]}`,
      declaration: name,
      sorries: [],
      shown: undefined,
      goal: undefined,
      message: firstError(this.#piece),
      isBroken: true,
    };
  }

  goals(): FileGoal[] {
    const { sorries, theorem } = this.#piece;
    const isProof = sorries.every(({ proposition }) => proposition);
    if (theorem && isProof) {
      const whole = this.#wholeProof(theorem);
      if (whole) return [whole];
      // holes that share metavariables form one goal: the theorem with all of them
      if (sorries.some(({ statement }) => statement === undefined)) return [this.#filledProof(theorem)];
    }
    return sorries.map((sorry) => this.#ofSorry(sorry));
  }

  /** The whole proof is missing. */
  #wholeProof({ signature_end, value_start, equations }: TheoremPlaces): FileGoal | undefined {
    const [only, ...others] = this.#piece.sorries;
    if (!only || others.length > 0 || equations) return undefined;
    const value = plainCode(this.#source.between(value_start, this.#piece.end));
    if (!/^:=\s*(?:sorry|by\s+(?:sorry|admit))$/.test(value.trim())) return undefined;
    const statement = this.#source.between(this.#piece.start, signature_end);
    return this.#found([only], { statement, place: this.#placeOf(only) });
  }

  #filledProof({ signature_end, value_start, equations }: TheoremPlaces): FileGoal {
    const { start, end, sorries } = this.#piece;
    const value = this.#source.between(value_start, end);
    // `theorem t : T | 0 => …` is short for `theorem t : T := fun | 0 => …`
    const template = equations ? `fun\n${' '.repeat(value_start[1])}${value}` : value.replace(/^:=\s*/, '');
    const from: Position = equations
      ? value_start
      : positionAfter(value_start, value.slice(0, value.length - template.length));
    return this.#found(sorries, {
      statement: this.#source.between(start, signature_end),
      holes: { kind: 'sorries', template },
      place: this.#placeFrom(from, end, equations ? 'equations' : 'value'),
    });
  }

  #ofSorry(sorry: OpenSorry): FileGoal {
    const { statement, proposition, reason, goals } = sorry;
    if (statement !== undefined)
      return this.#found([sorry], {
        statement: named(statement, this.#nameOf(sorry)),
        place: this.#placeOf(sorry),
      });
    const message = proposition
      ? (reason ?? 'Lean reported no goal for it')
      : `data of type ${goals[0]?.target ?? '?'} is missing here, not a proof: there is nothing to prove`;
    return { ...this.#about([sorry]), goal: undefined, message, isBroken: false };
  }

  #found(sorries: readonly OpenSorry[], parts: Pick<LeanGoal, 'statement'> & Partial<LeanGoal>): FileGoal {
    const about = this.#about(sorries);
    const goal: LeanGoal = {
      id: about.id,
      preamble: this.#preamble(),
      ...(this.#environment.project !== null && { environment: this.#environment }),
      holes: wholeStatement,
      topic: null,
      label: null,
      allowAxioms: [],
      source: about.source,
      ...parts,
    };
    return { ...about, goal };
  }

  #about(sorries: readonly OpenSorry[]): Omit<FileGoal, 'goal'> & { id: string } {
    const [first] = sorries;
    const declaration = this.#nameOf(first);
    const line = first?.start[0] ?? this.#piece.start[0];
    const places = sorries.map(({ start, end, form }) => ({ start, end, form }));
    return {
      id: declaration,
      source: `${this.#file}:${line}`,
      declaration,
      sorries: places,
      shown: first?.goals[0],
    };
  }

  #placeOf({ start, end, form }: OpenSorry): Place {
    return this.#placeFrom(start, end, form);
  }

  #placeFrom(start: Position, end: Position, form: Place['form']): Place {
    return { file: this.#file, start, end, form, around: this.#source.around(start, end) };
  }

  /** The name as written: Lean adds prefixes to private declarations and examples. */
  #nameOf(sorry: OpenSorry | undefined): string {
    const { name, kind } = this.#piece;
    const full = sourceName(sorry?.declaration ?? '').replace(/(^|\.)_example$/, '$1example');
    if (name === '') return full === '' ? kind : full;
    const written = sourceName(name);
    return full.startsWith(`${written}.`) ? full : written;
  }
}

/**
 * A file may bind names that are errors in a claim (`T`, `Index`). Claims from such a file allow that with an
 * option on the line of the first command: line numbers do not change.
 */
function inFileRule(source: SourceText, preamble: string, { from, names }: Loose): string {
  if (names.length === 0) return preamble;
  const header = source.between([1, 0], from);
  return `${header}set_option relaxedAutoImplicit true ${preamble.slice(header.length)}`;
}

type Loose = OperationResult<'read'>['loose'];
type TheoremPlaces = NonNullable<Piece['theorem']>;

/** Several goals of one declaration are numbered. */
function numbered(goals: readonly FileGoal[]): FileGoal[] {
  const counts = new Map<string, number>();
  const total = Map.groupBy(goals, ({ id }) => id);
  return goals.map((found) => {
    if ((total.get(found.id)?.length ?? 0) === 1) return found;
    const number = (counts.get(found.id) ?? 0) + 1;
    counts.set(found.id, number);
    const id = `${found.id}#${number}`;
    return found.goal ? { ...found, id, goal: { ...found.goal, id } } : { ...found, id };
  });
}

/** A goal stated as a theorem uses its declaration's name if that is a plain identifier. */
function named(statement: string, declaration: string): string {
  const word = declaration.split('.').at(-1) ?? '';
  return /^[\p{L}_][\p{L}\p{N}_']*$/u.test(word)
    ? statement.replace(/^theorem goal_(\d+)/, `theorem ${word}_goal_$1`)
    : statement;
}

function firstError({ messages }: Piece, file?: string): string {
  const error = messages.find(({ severity }) => severity === 'error') ?? messages[0];
  if (!error) return 'Lean gave no reason';
  const [line, column] = error.start;
  return file === undefined
    ? `${error.text} (${describePosition(error.start)})`
    : `${file}:${line}:${column + 1}: ${error.text}`;
}
