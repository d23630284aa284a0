import type { Checker } from './checker.ts';
import { OPAQUE_HEIGHT, type Info, type Recursor } from './environment.ts';
import type { Terms } from './expr.ts';
import { Families, type Block } from './families.ts';
import { jsonCount, flag, malformed, object, parse, jsonText } from './json.ts';
import { nameParts, nameText, type KernelName } from './name.ts';
import { deriveRecursors } from './recursor.ts';
import { ExportRows, readHeight } from './rows.ts';

/** Root of the candidate's names; no library uses it. */
export const CANDIDATE_ROOT = '_candidate';

/**
 * Source of library constants: the data of a constant, null if no such constant exists, undefined if it was not
 * looked up yet.
 */
export type LibrarySource = (name: KernelName) => string | null | undefined;

/** Thrown when the check needs the data of a constant that the source has not looked up. The check is repeated with the data. */
export class MissingConstant extends Error {
  readonly constant: KernelName;
  constructor(constant: KernelName) {
    super(`no data of ${nameText(constant)}`);
    this.constant = constant;
  }
}

/**
 * Library constants, trusted without a check and read on demand. Of recursors only the names are read: types and
 * rules are derived from the constructors.
 */
export class LibraryReader {
  private readonly terms: Terms;
  private readonly source: LibrarySource;
  private readonly known = new Map<KernelName, Info | null>();
  /** how many universe parameters unsafe constants have */
  private readonly unsafe = new Map<KernelName, number>();
  /** the constants that were read */
  readonly used = new Set<KernelName>();

  constructor(terms: Terms, source: LibrarySource) {
    this.terms = terms;
    this.source = source;
  }

  find(name: KernelName, checker: Checker): Info | undefined {
    let info = this.known.get(name);
    if (info === undefined) {
      const data = nameParts(name)[0] === CANDIDATE_ROOT ? null : this.source(name);
      if (data === undefined) throw new MissingConstant(name);
      info = data === null ? null : this.read(name, data, checker);
      this.known.set(name, info);
      if (info !== null) this.used.add(name);
    }
    return info ?? undefined;
  }

  /** The number of universe parameters of a constant, unsafe ones included; undefined if there is no such constant. */
  universeCount(name: KernelName, checker: Checker): number | undefined {
    return this.find(name, checker)?.params.length ?? this.unsafe.get(name);
  }

  private read(name: KernelName, json: string, checker: Checker): Info | null {
    const data = object(parse(json));
    const rows = new ExportRows(this.terms, data, (one) => one);
    if (rows.name(data['constant']) !== name) return malformed('the library has data under a wrong name');
    const params = rows.nameList(data['params']);
    // no checked declaration may depend on unsafe code
    if (!flag(data['safe'])) {
      this.unsafe.set(name, params.length);
      return null;
    }
    const kind = jsonText(data['kind']);
    if (kind === 'recursor') return this.recursor(name, rows.nameList(data['all']), checker);
    const type = rows.expr(data['type']);
    const value = 'value' in data ? rows.expr(data['value']) : null;
    switch (kind) {
      case 'axiom':
        return { kind, name, params, type };
      case 'theorem':
      case 'opaque':
        return { kind, name, params, type, value, height: OPAQUE_HEIGHT };
      case 'definition':
        return {
          kind,
          name,
          params,
          type,
          value,
          height: value === null ? OPAQUE_HEIGHT : readHeight(data['hints']),
        };
      case 'inductive':
        return {
          kind,
          name,
          params,
          type,
          paramCount: jsonCount(data['parameters']),
          indexCount: jsonCount(data['indices']),
          all: rows.nameList(data['all']),
          constructors: rows.nameList(data['constructors']),
          isRecursive: flag(data['recursive']),
        };
      case 'constructor':
        return {
          kind,
          name,
          params,
          type,
          inductive: rows.name(data['inductive']),
          paramCount: jsonCount(data['parameters']),
          fieldCount: jsonCount(data['fields']),
        };
      case 'quotient': {
        const roles = { Quot: 'type', mk: 'constructor', lift: 'lift', ind: 'induction' } as const;
        const role = Object.entries(roles).find(([part]) => part === name.part)?.[1];
        return role === undefined
          ? malformed('an unknown constant of quotients')
          : { kind, name, params, type, role };
      }
      default:
        return malformed('a library constant of an unknown kind');
    }
  }

  private recursor(name: KernelName, all: readonly KernelName[], checker: Checker): Recursor {
    const block = this.block(all, checker);
    const derived = deriveRecursors(checker, block, new Families(checker, block));
    for (const recursor of derived) {
      this.known.set(recursor.name, recursor);
      this.used.add(recursor.name);
    }
    return (
      derived.find((recursor) => recursor.name === name) ??
      malformed(`the library has no recursor ${nameText(name)}`)
    );
  }

  private block(all: readonly KernelName[], checker: Checker): Block {
    const types = all.map((name) => {
      const info = this.find(name, checker);
      return info?.kind === 'inductive' ? info : malformed(`the library has no type ${nameText(name)}`);
    });
    const [first] = types;
    if (first === undefined) return malformed('a recursor of no type');
    return {
      params: first.params,
      paramCount: first.paramCount,
      types: types.map(({ name, type, constructors }) => ({
        name,
        type,
        constructors: constructors.map((constructor) => {
          const info = this.find(constructor, checker);
          return info === undefined
            ? malformed(`no constructor ${nameText(constructor)}`)
            : { name: constructor, type: info.type };
        }),
      })),
    };
  }
}
