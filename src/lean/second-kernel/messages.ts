import type { KernelJudgement, NameParts } from '../../kernel/claim.ts';
import type { KernelOutcome } from '../../kernel/outcome.ts';

/** A name as JSON text of its parts: the key of a library constant. */
export type ConstantKey = string;

/** The data of library constants; null: the library has none of this name. */
export type LibraryEntries = readonly (readonly [key: ConstantKey, data: string | null])[];

/** What the thread of the second kernel is asked. */
export type Job =
  | {
      readonly type: 'judge';
      readonly kind: 'claim' | 'file';
      readonly statement: string | undefined;
      readonly candidate: string;
      readonly allowAxioms: readonly NameParts[];
    }
  | { readonly type: 'entries'; readonly entries: LibraryEntries }
  | { readonly type: 'export'; readonly path: string };

/** What it answers. After `missing` it waits for `entries`, and continues with the same question. */
export type ThreadAnswer =
  | { readonly type: 'missing'; readonly keys: readonly ConstantKey[] }
  | {
      readonly type: 'judged';
      readonly judgement: KernelJudgement;
      readonly libraryHash: string;
      readonly seconds: number;
    }
  | {
      readonly type: 'checked';
      readonly outcome: KernelOutcome;
      readonly declarations: number;
      /** unsafe and partial declarations, which no kernel checks */
      readonly unchecked: number;
      /** the axioms that the file declares */
      readonly axioms: readonly string[];
      /** those of them that were computed as operations on numbers */
      readonly assumed: readonly string[];
      readonly seconds: number;
    };
