/** The fields of orch's answers that the extension reads; `src/server/mcp/answers.ts` has the schemas. */

export interface Proved {
  readonly solved: boolean;
  readonly proof?: string | null;
  readonly reason?: string | null;
}

export interface Submitted {
  readonly written: boolean;
  readonly why?: string;
}

export interface OpenGoals {
  readonly goals: readonly { readonly id: string; readonly line: number | null }[];
}

export interface Premises {
  readonly premises: readonly { readonly name: string; readonly statement?: string }[];
}

export interface Verified {
  readonly verdicts?: readonly {
    readonly name?: string;
    readonly verdict: 'accepted' | 'rejected' | 'unknown';
    readonly kind: string;
    readonly message: string;
  }[];
}

export interface Outline {
  readonly items: readonly { readonly name: string; readonly line: number }[];
}

export interface Why {
  readonly status?: string;
  readonly attempt_rows?: readonly {
    readonly arm: string;
    readonly outcome?: string | null;
    readonly error?: string | null;
  }[];
}
