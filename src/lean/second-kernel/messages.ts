import type { KernelJudgement, NameParts } from '../../kernel/claim.ts';
import type { KernelOutcome } from '../../kernel/outcome.ts';

/** A name as JSON text of its parts: the key of a library constant. */
export type ConstantKey = string;

/** The data of library constants; null if the library has no constant of this name. */
export type LibraryEntries = readonly (readonly [key: ConstantKey, data: string | null])[];

/** A request to the thread of the second kernel. */
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

/** A reply of that thread. After `missing` it waits for `entries`, then continues the same request. */
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
      /** unsafe and partial declarations, which kernels do not check */
      readonly unchecked: number;
      /** the axioms that the file declares */
      readonly axioms: readonly string[];
      /** those axioms that were evaluated as operations on numbers */
      readonly assumed: readonly string[];
      readonly seconds: number;
    };
