import { OPAQUE_HEIGHT } from './environment.ts';
import type { Terms } from './expr.ts';
import { jsonCount, flag, jsonList, malformed, object, jsonText, type JsonRow } from './json.ts';
import type { Declaration } from './kernel.ts';
import { nameParts, nameText, type KernelName } from './name.ts';
import { ExportRows, readHeight } from './rows.ts';

/** A declaration of an export, with its names mapped to the kernel's. */
export interface Stated {
  /** its name in the export; for a block, the name of the first type */
  readonly own: KernelName;
  readonly safe: boolean;
  readonly declaration: Declaration;
}

/** The recursors of a type `T`: `T.rec`, and `T.rec_1`, … for nested occurrences. */
export function isRecursorName(name: KernelName): name is KernelName & { parent: KernelName; part: string } {
  return name.parent !== null && typeof name.part === 'string' && /^rec(?:_\d+)?$/.test(name.part);
}

/** The declarations of an export in our own format, with a map from declared names to the kernel's. */
export class ExportedDeclarations {
  readonly data: JsonRow;
  readonly rows: ExportRows;
  readonly list: readonly JsonRow[];
  /** every name that the export declares, in order */
  readonly declared: KernelName[] = [];
  private readonly meanings = new Map<KernelName, KernelName>();
  private readonly universeCounts = new Map<KernelName, number>();
  private readonly types = new Set<KernelName>();
  private readonly terms: Terms;

  /** `target` maps a declared name; `inLibrary` counts the universe parameters of any other. */
  constructor(
    terms: Terms,
    data: JsonRow,
    target: (name: KernelName) => KernelName,
    inLibrary: (name: KernelName) => number | undefined,
  ) {
    this.terms = terms;
    this.data = data;
    this.rows = new ExportRows(terms, data, (name, universes) => {
      this.checkMention(name, universes, inLibrary);
      return this.meaning(name);
    });
    this.list = jsonList(data['declarations']).map(object);
    for (const row of this.list) {
      const universes = jsonList(row['levels']).length;
      for (const name of this.declares(row)) {
        if (name.parent === null) malformed('it declares something without a name');
        if (nameParts(name).includes('_nested')) malformed(`it declares the reserved name ${nameText(name)}`);
        if (this.meanings.has(name)) malformed(`it declares ${nameText(name)} twice`);
        this.meanings.set(name, target(name));
        this.universeCounts.set(name, universes);
        this.declared.push(name);
      }
    }
    for (const name of this.declared)
      if (name.part === 'rec' && name.parent !== null && this.types.has(name.parent))
        malformed(`it declares ${nameText(name)}, which is a recursor`);
  }

  /**
   * A constant must exist and have as many universes as it is given, also in declarations that no kernel checks. A
   * recursor may have one more than its type.
   */
  private checkMention(
    name: KernelName,
    universes: number | undefined,
    inLibrary: (name: KernelName) => number | undefined,
  ): void {
    const declared = this.universeCounts.get(name);
    const recursor =
      isRecursorName(name) && this.types.has(name.parent) ? this.universeCounts.get(name.parent) : undefined;
    const count = declared ?? recursor ?? inLibrary(name);
    if (count === undefined)
      return malformed(`it names ${nameText(name)}, which neither it nor the library declares`);
    const most = declared === undefined && recursor !== undefined ? count + 1 : count;
    if (universes !== undefined && (universes < count || universes > most))
      malformed(`${nameText(name)} has a wrong number of universes`);
  }

  /** The kernel's name for a name. The recursors of a type are mapped like the type. */
  meaning(name: KernelName): KernelName {
    const meaning = this.meanings.get(name);
    if (meaning !== undefined) return meaning;
    if (!isRecursorName(name) || !this.types.has(name.parent)) return name;
    return this.terms.names.child(this.meanings.get(name.parent) ?? name.parent, name.part);
  }

  rename(name: KernelName, target: KernelName): void {
    this.meanings.set(name, target);
  }

  /** The names declared by a row: its own, or the types of a block and then their constructors. */
  declares(row: JsonRow): KernelName[] {
    if (!('types' in row)) return [this.rows.name(row['name'])];
    const types = jsonList(row['types']).map(object);
    for (const type of types) this.types.add(this.rows.name(type['name']));
    return [
      ...types.map((type) => this.rows.name(type['name'])),
      ...types.flatMap((type) =>
        jsonList(type['constructors']).map((pair) => this.rows.name(jsonList(pair)[0])),
      ),
    ];
  }

  read(row: JsonRow): Stated {
    const { rows } = this;
    const params = rows.nameList(row['levels']);
    const kind = jsonText(row['kind']);
    if (kind === 'inductive') return this.block(row, params);
    const own = rows.name(row['name']);
    const name = this.meaning(own);
    const type = rows.expr(row['type']);
    if (kind === 'axiom') return { own, safe: true, declaration: { kind, name, params, type } };
    const value = rows.expr(row['value']);
    switch (kind) {
      case 'theorem':
        return { own, safe: true, declaration: { kind, name, params, type, value, height: OPAQUE_HEIGHT } };
      case 'opaque':
        return {
          own,
          safe: flag(row['safe']),
          declaration: { kind, name, params, type, value, height: OPAQUE_HEIGHT },
        };
      case 'definition': {
        const height = readHeight(row['hints']);
        return { own, safe: flag(row['safe']), declaration: { kind, name, params, type, value, height } };
      }
      default:
        return malformed('an unknown kind of declaration');
    }
  }

  private block(row: JsonRow, params: readonly KernelName[]): Stated {
    const { rows } = this;
    const types = jsonList(row['types']).map((item) => {
      const type = object(item);
      return {
        name: this.meaning(rows.name(type['name'])),
        type: rows.expr(type['type']),
        constructors: jsonList(type['constructors']).map((pair) => {
          const [name, constructorType, ...rest] = jsonList(pair);
          if (rest.length > 0) return malformed('a constructor row is a pair');
          return { name: this.meaning(rows.name(name)), type: rows.expr(constructorType) };
        }),
      };
    });
    const first = jsonList(row['types']).map(object)[0] ?? malformed('an inductive block has no type');
    return {
      own: rows.name(first['name']),
      safe: flag(row['safe']),
      declaration: { kind: 'inductive', block: { params, paramCount: jsonCount(row['parameters']), types } },
    };
  }
}
