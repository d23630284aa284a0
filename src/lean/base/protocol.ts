// Over 300 lines because the protocol is one file on each side, so that both can be read next to each other.
import * as z from 'zod';
import type { Name } from './names.ts';
import type { Options } from './options.ts';

/** The protocol between us and lean/Worker.lean: one JSON object per line, the same names on both sides (docs/PROTOCOL.md). */
export const protocolVersion = 3;

/** Requests above these bounds are refused before they are sent: 20,000 nested brackets exhaust Lean's memory. */
export const maxRequestBytes = 8 << 20;
export const maxNesting = 1000;

/** Why a request failed. A closed list, explained in docs/PROTOCOL.md. */
export const failureKinds = [
  // the text is at fault
  'statement',
  'parse',
  'elaboration',
  'tactic',
  'missing-import',
  'unread',
  'no-theorem',
  // something in the candidate would change the meaning of the reference
  'inseparable',
  // the proof is not accepted
  'sorry',
  'axiom',
  'unsafe',
  'kernel',
  'statement-changed',
  'malformed-export',
  // it holds, but breaks a constraint of the request
  'constraint',
  // a limit was reached: the answer is unknown
  'heartbeats',
  'recursion',
  'timeout',
  'memory',
  'cancelled',
  // the text can run its own code: the client repeats the request with `code`, in a worker used for nothing else
  'runs-code',
  // something written was not declared, or was declared differently
  'unaccounted',
  // a tool is at fault
  'crash',
  'invalid-request',
  'unknown-session',
  'unknown-state',
] as const;
export type FailureKind = (typeof failureKinds)[number];

/** [line, column]: lines count from 1, columns from 0 in code points, as Lean counts them. */
const Position = z.tuple([z.number(), z.number()]);
export type Position = z.infer<typeof Position>;

const Message = z.object({
  severity: z.enum(['info', 'warning', 'error']),
  start: Position,
  end: Position.optional(),
  text: z.string(),
});
export type Message = z.infer<typeof Message>;

/** Kinds of types, classified by Lean by their head constant. */
const typeKinds = [
  'predicate',
  'data',
  'structure',
  'class',
  'equation',
  'order',
  'function',
  'quantifier',
  'connective',
  'claim',
  'sort',
  'other',
] as const;
const TypeKind = z.enum(typeKinds);

const Hypothesis = z.object({
  name: z.string(),
  /** As Lean prints it, for display and for proposals. Decisions use the fields below. */
  type: z.string(),
  value: z.string().optional(),
  kind: TypeKind.optional(),
  /** The head constant of the type; empty if it is a variable. */
  head: z.string().optional(),
  /** Its values may be destructured: a type of the user, or a transparent one of the library. */
  splits: z.boolean().optional(),
  /** An induction on it may have hypotheses. */
  recursive: z.boolean().optional(),
  /** A derivation about a non-variable term: few rules can have produced it. */
  inverts: z.boolean().optional(),
  /** An equation whose one side is a variable that the other side does not mention. */
  solved: z.boolean().optional(),
  /** An equation between constructor applications. */
  injective: z.boolean().optional(),
  /** The head constant of what a statement with quantifiers or premises concludes. */
  concludes: z.string().optional(),
  /** It contains a condition or a `match` that can be split. */
  conditional: z.boolean().optional(),
  /** It mentions a value that is still to be found. */
  unknown: z.boolean().optional(),
});
export type Hypothesis = z.infer<typeof Hypothesis>;

const Goal = z.object({
  case: z.string().optional(),
  hypotheses: z.array(Hypothesis),
  target: z.string(),
  target_kind: TypeKind.optional(),
  target_head: z.string().optional(),
  target_conditional: z.boolean().optional(),
  target_unknown: z.boolean().optional(),
  /** The closed goal, serialised; its SHA-256 is the goal's identity. Present on request. */
  canonical: z.string().optional(),
});
export type Goal = z.infer<typeof Goal>;

const ok = z.literal(true);
const messages = z.array(Message).default([]);

const Failure = z.object({
  ok: z.literal(false),
  kind: z.enum(failureKinds),
  message: z.string(),
  messages,
  axioms: z.array(z.string()).default([]),
  missing: z.array(z.string()).default([]),
  ms: z.number().optional(),
  heartbeats: z.number().optional(),
});
export type Failure = z.infer<typeof Failure>;

const State = z.object({
  ok,
  state: z.number(),
  goals: z.array(Goal),
  /** No goal is left and the proof term is complete. Not yet a proof: only the gate decides that. */
  closed: z.boolean(),
  messages,
  ms: z.number().optional(),
  heartbeats: z.number().optional(),
});
export type ProofState = z.infer<typeof State>;

const DescribedType = z.object({
  kind: TypeKind,
  /** Its head constant; empty if it is a variable. */
  head: z.string(),
  /** The inductive predicate behind it, if any; an operator may hide it. */
  predicate: z.string().optional(),
  parameters: z.number().optional(),
  indices: z.array(z.enum(['constructor', 'variable', 'computed', 'unknown'])).default([]),
  /** The number of constructors of the predicate, and of those that can have produced this hypothesis. */
  constructors: z.number().optional(),
  possible: z.number().optional(),
  recursive: z.boolean().default(false),
});

/** A goal as data: search decides by this, not by printed text. */
const Description = z.object({
  target: DescribedType,
  hypotheses: z.array(DescribedType.extend({ name: z.string(), accessible: z.boolean() })),
  /** The inductive predicates that the goal mentions, also through definitions of the preamble. */
  predicates: z.array(z.string()),
  /** Indices of goals of the same state that it shares metavariables with. */
  shares: z.array(z.number()),
});
export type Description = z.infer<typeof Description>;

/** Steps at a goal, as tactics: Lean reads them from the goal itself. */
const Moves = z.object({
  /** Names every hypothesis without a usable name. Nothing else is proposed before. */
  naming: z.array(z.string()),
  /** Each loses nothing: the first that works replaces the goal. */
  safe: z.array(z.string()),
  /** Steps of each kind, most promising first. */
  kinds: z.array(z.array(z.string())),
});
export type Moves = z.infer<typeof Moves>;

/** A term of first order. A sort is a printed type. */
const EquationTerm = z.union([
  z.object({ variable: z.number(), sort: z.string() }),
  z.object({
    head: z.string(),
    sort: z.string(),
    get args(): z.ZodArray<typeof EquationTerm> {
      return z.array(EquationTerm);
    },
  }),
]);
export type EquationTerm = z.infer<typeof EquationTerm>;

/** An equation and those that it may follow from, as terms. */
const Equations = z.object({
  /** Absent unless the goal is an equation about a type of which only laws are known. */
  sides: z.tuple([EquationTerm, EquationTerm]).optional(),
  given: z
    .array(
      z.object({
        /** A hypothesis or a theorem. */
        name: z.string(),
        local: z.boolean(),
        /** Of its variables. */
        sorts: z.array(z.string()),
        left: EquationTerm,
        right: EquationTerm,
      }),
    )
    .default([]),
  /** The values in the context: name and sort. */
  values: z.array(z.tuple([z.string(), z.string()])).default([]),
});
export type Equations = z.infer<typeof Equations>;

const Sorry = z.object({
  start: Position,
  end: Position,
  declaration: z.string(),
  state: z.number().optional(),
  goals: z.array(Goal).default([]),
  /** Why this one has no proof state. */
  message: z.string().optional(),
});
export type Sorry = z.infer<typeof Sorry>;

/** A proof state of a REPL conversation; position [0, 0] means none. */
const ReplState = z.object({
  start: Position,
  end: Position,
  state: z.number().optional(),
  /** As Lean prints them. */
  goals: z.array(z.string()),
  /** Why there is no proof state. */
  message: z.string().optional(),
});
export type ReplState = z.infer<typeof ReplState>;

const ReplLoaded = z.object({
  ok,
  session: z.number(),
  messages,
  sorries: z.array(ReplState),
  roots: z.array(ReplState),
  /** On request, what the text declares. */
  declared: z
    .array(z.object({ name: z.string(), kind: z.string(), type: z.string(), start: Position, end: Position }))
    .default([]),
  tactics: z.array(ReplState.extend({ tactic: z.string(), constants: z.array(z.string()) })),
  infotree: z.array(z.unknown()).optional(),
  /** On request, where the text uses names, as Lean writes it into an `.ilean` file. */
  places: z.object({ references: z.unknown() }).optional(),
});
export type ReplLoaded = z.infer<typeof ReplLoaded>;

const Written = z.object({ name: z.string(), start: Position, end: Position });
export type Written = z.infer<typeof Written>;

/** A word that begins a declaration (`theorem`, `def`, …), as found by Lean's parser. */
const Declared = z.object({
  word: z.string(),
  /** As written; empty if there is none. */
  name: z.string(),
  at: Position,
  /** The command around it. */
  start: Position,
  end: Position,
  /** What was declared there. */
  constants: z.array(z.string()),
  /** Names that Lean auto-bound before them. */
  bound: z.array(z.string()),
  /** It uses syntax or macros that change the meaning of the written text. */
  taken: z.boolean(),
  /** An example that fails as expected: `#guard_msgs` with the error in its comment. */
  expected: z.boolean(),
});
export type Declared = z.infer<typeof Declared>;

/** A `sorry` in a declaration: its position and its goal. */
const OpenSorry = z.object({
  start: Position,
  end: Position,
  /** A missing term needs `by`; a missing tactic does not. */
  form: z.enum(['term', 'tactic']),
  declaration: z.string().default(''),
  goals: z.array(Goal).default([]),
  /** The goal as a separate theorem that Lean elaborates to the same proposition. */
  statement: z.string().optional(),
  /** False: data is missing, so there is nothing to prove. */
  proposition: z.boolean().default(true),
  /** Why the goal cannot be stated as a separate theorem. */
  reason: z.string().optional(),
});
export type OpenSorry = z.infer<typeof OpenSorry>;

/** An unfinished declaration. Broken ones have messages, the others `sorry`s. */
const Piece = z.object({
  /** As declared; empty if unnamed. */
  name: z.string(),
  /** `theorem`, `definition`, `instance`, `example`, …, as Lean's syntax calls it. */
  kind: z.string(),
  start: Position,
  end: Position,
  parsed: z.boolean().default(true),
  messages,
  sorries: z.array(OpenSorry).default([]),
  /** For a command that is one theorem: where its statement ends and its proof begins. */
  theorem: z.object({ signature_end: Position, value_start: Position, equations: z.boolean() }).optional(),
});
export type Piece = z.infer<typeof Piece>;

/** The imports of a text, as parsed by Lean. */
const ModuleHeader = z.object({
  ok,
  module: z.boolean(),
  imports: z.array(
    z.object({ module: z.string(), all: z.boolean(), public: z.boolean(), meta: z.boolean() }),
  ),
});

const Constant = z.object({
  name: z.string(),
  kind: z.enum([
    'theorem',
    'definition',
    'opaque',
    'axiom',
    'quotient',
    'inductive',
    'constructor',
    'recursor',
  ]),
  module: z.string(),
  symbols: z.array(z.string()),
  /** Equal for types that differ only in variable names. */
  shape: z.string(),
  /** The role of a constant in a loaded text. */
  role: z.enum(['function', 'instance', 'predicate']).optional(),
  /** Constants of loaded texts mentioned in its body. */
  uses: z.array(z.string()).optional(),
  /** Its plain name is ambiguous, so tactics need the prefix `_root_.`. */
  ambiguous: z.literal(true).optional(),
  /** Its proof contains `sorry`, directly or through other proofs. */
  unfinished: z.literal(true).optional(),
  /** If nothing but open theorems is missing: these. */
  rests_on: z.array(z.string()).optional(),
  /** The canonical form of an open theorem's statement. */
  canonical: z.string().optional(),
  type: z.string().optional(),
});
export type Constant = z.infer<typeof Constant>;

/** A theorem with its axioms, and those of them that are allowed but not standard. */
const Theorem = z.object({
  ok,
  name: z.string(),
  axioms: z.array(z.string()),
  assumes: z.array(z.string()),
  /** The open theorems that it was allowed to assume, and does. */
  given: z.array(z.string()).default([]),
  /** False for a definition or an instance. */
  theorem: z.boolean().default(true),
  /** For declarations beyond the reference's theorems: the reference has the same declaration. */
  stated: z.boolean().default(false),
});

/** The elaborated question. */
export interface StatementData {
  /** For the judge: JSON text, identical for identical questions. */
  readonly data: string;
  /** The names that Lean bound automatically. */
  readonly bound: readonly string[];
}

const Judged = z.discriminatedUnion('ok', [Theorem, Failure.extend({ name: z.string() })]);
export type Judged = z.infer<typeof Judged>;

const Done = z.object({ ok });

/** Successful answer of each operation. */
const results = {
  hello: z.object({
    ok,
    protocol: z.number(),
    lean: z.string(),
    modules: z.number(),
    imports: z.array(z.string()),
  }),
  load: z.object({
    ok,
    session: z.number(),
    errors: z.number(),
    messages,
    sorries: z.array(Sorry).default([]),
    /** The theorems that the text declares, in order. */
    theorems: z.array(Written).default([]),
    /** With `account`: every keyword that begins a declaration, and ranges where such words do not. */
    written: z.array(Declared).default([]),
    unread: z.array(z.tuple([Position, Position])).default([]),
  }),
  read: z.object({
    ok,
    commands: z.number(),
    pieces: z.array(Piece),
    /** Undeclared names that Lean binds in files but a claim must not bind, and where the commands begin. */
    loose: z.object({ from: Position, names: z.array(z.string()) }),
  }),
  unload: Done,
  headers: z.object({ ok, headers: z.array(z.discriminatedUnion('ok', [ModuleHeader, Failure])) }),
  import: z.object({ ok, session: z.number() }),
  compile: z.object({
    ok,
    messages,
    /** It can run its own code, now or in its importers. */
    code: z.boolean(),
  }),
  statement: z.object({
    ok,
    name: z.string(),
    universes: z.array(z.string()),
    /** The names that Lean bound automatically. */
    bound: z.array(z.string()).default([]),
    canonical: z.string(),
    symbols: z.array(z.string()),
    /** The elaborated statement, as Lean prints it. Present on request. */
    printed: z.string().optional(),
    /** The statement as data, for the judge. Present on request. */
    data: z.unknown().optional(),
  }),
  check: Theorem.extend({
    constants: z.array(z.string()).default([]),
    /** The new constants as data, for the judge. */
    export: z.unknown().optional(),
    messages,
  }),
  export: z.object({ ok, export: z.unknown() }),
  judge: Theorem,
  'judge-file': z.object({
    ok,
    theorems: z.array(Judged),
    /** With a reference: declarations of the file beyond it. */
    others: z.array(Judged).default([]),
  }),
  start: State,
  step: State,
  steps: z.object({ ok, results: z.array(z.discriminatedUnion('ok', [State, Failure])) }),
  repl: ReplLoaded,
  'repl-step': z.object({
    ok,
    state: z.number(),
    goals: z.array(z.string()),
    sorries: z.array(ReplState),
    traces: z.array(z.string()),
    messages,
    /** In the format of leanprover-community/repl. */
    status: z.string(),
  }),
  describe: z.object({ ok, goals: z.array(Description) }),
  relate: z.object({
    ok,
    /** Tactics that prove the first goal, as run by Lean; absent if none were found. */
    script: z.string().optional(),
    /** Rule applications and tactics tried. */
    steps: z.number(),
    /** The goals where it got stuck and the moves that led there, on request. */
    notes: z.array(z.string()).optional(),
  }),
  moves: Moves.extend({ ok }),
  equations: Equations.extend({ ok }),
  weaken: z.object({
    ok,
    /** `general`: a variable replaces a term of the goal. */
    statements: z.array(z.object({ statement: z.string(), general: z.boolean() })),
  }),
  refute: z.object({
    ok,
    /** Values at which the goal is false: name and text. */
    values: z.array(z.tuple([z.string(), z.string()])).optional(),
    /** Variables for which no values were tried. */
    untried: z.array(z.string()).default([]),
  }),
  drop: Done,
  constants: z.object({ ok, total: z.number(), constants: z.array(Constant) }),
  library: z.object({ ok, constants: z.array(z.unknown()) }),
  tactics: z.object({ ok, tactics: z.array(z.string()) }),
  memory: Done,
  'save-code': z.object({ ok, bytes: z.number() }),
  'save-image': Done,
  stop: Done,
} as const;

/** The request of each operation. Sessions and states are numbers assigned by the worker. */
export interface Requests {
  hello: { session?: number };
  load: {
    session: number;
    text: string;
    sorries?: boolean;
    keep_going?: boolean;
    canonical?: boolean;
    heartbeats?: number;
    /** Report what the text writes: `written` and `unread`. */
    account?: boolean;
    /** With `account`: make a definition of each `example`, so that an export has it. */
    examples?: boolean;
    /** The text precedes a claim: undeclared names are bound by the rule for claims. */
    claim?: boolean;
    /** Only the statements of the text: its theorems without proofs, and never its own code, even with `code`. */
    cut?: boolean;
    code?: boolean;
  };
  read: { session: number; text: string; heartbeats?: number; code?: boolean };
  unload: { sessions: readonly number[] };
  headers: { texts: readonly string[] };
  /** Import compiled modules; a new session builds on them. */
  import: { imports: readonly Name[]; options: Options };
  /** Compile a text as a module and write its files. */
  compile: {
    name: Name;
    text: string;
    options: Options;
    output: string;
    keepBroken: boolean;
    heartbeats?: number;
  };
  statement: {
    session: number;
    statement: string;
    data?: boolean;
    print?: boolean;
    allow_axioms?: readonly Name[];
    assume?: readonly Name[];
    heartbeats?: number;
    code?: boolean;
  };
  check: {
    session: number;
    statement: string;
    proof: string;
    allow_axioms?: readonly Name[];
    assume?: readonly Name[];
    constants?: boolean;
    export?: boolean;
    heartbeats?: number;
    code?: boolean;
  };
  /** Export the declarations of a loaded text, as a candidate or as a reference. */
  export: {
    session: number;
    role: 'candidate' | 'reference';
    allow_axioms?: readonly Name[];
    assume?: readonly Name[];
  };
  judge: {
    /** The statement's data as JSON text; the judge caches it by these bytes. */
    statement: string;
    candidate: unknown;
    allow_axioms?: readonly Name[];
    assume?: readonly Name[];
    stages?: readonly string[];
  };
  'judge-file': {
    reference?: string;
    candidate: unknown;
    allow_axioms?: readonly Name[];
    /** Declarations of the reference that the candidate's of the same name and type replace. */
    holes?: readonly Name[];
    assume?: readonly Name[];
    stages?: readonly string[];
  };
  start: {
    session: number;
    statement: string;
    canonical?: boolean;
    heartbeats?: number;
    code?: boolean;
  };
  step: { state: number; tactic: string; canonical?: boolean; heartbeats?: number };
  steps: {
    state: number;
    tactics: readonly string[];
    stop_when_closed?: boolean;
    canonical?: boolean;
    heartbeats?: number;
  };
  /** Run a text as Lean's frontend does. `header`: it may begin with imports. */
  repl: {
    session: number;
    text: string;
    header: boolean;
    all_tactics?: boolean;
    root_goals?: boolean;
    decl_types?: boolean;
    infotree?: string;
    places?: boolean;
    code?: boolean;
  };
  'repl-step': { state: number; tactic: string; code?: boolean };
  describe: { state: number; heartbeats?: number };
  /** The steps that a search may take at the first goal of a state. */
  moves: {
    state: number;
    lemmas: readonly Name[];
    definitions: readonly Name[];
    /** Theorems for case splits, which mention a `motive`. */
    principles: readonly Name[];
    heartbeats: number;
  };
  /** The first goal of a state, if it is an equation, and laws for it. */
  equations: { state: number; lemmas: readonly Name[]; heartbeats: number };
  /** Small values at which the first goal of a state is false, as `falsify` confirms. */
  refute: { state: number; falsify: string; heartbeats: number };
  /** Lemmas from which the first goal of a state may follow. */
  weaken: { state: number; heartbeats: number };
  /** Induction, inversion and backward chaining on the first goal of a state. */
  relate: {
    state: number;
    lemmas: readonly Name[];
    definitions: readonly Name[];
    /** Tactics for cases that no rule finishes, with a budget for each. */
    closers: readonly string[];
    closer_heartbeats?: number;
    /** Inductive predicates are involved: search for derivations before inventing lemmas. */
    relational: boolean;
    /** Include notes in the answer. */
    trace?: boolean;
    heartbeats: number;
  };
  drop: { states: readonly number[] };
  constants: { session: number; own?: boolean; types?: boolean; offset?: number; limit?: number };
  /** Library constants as data, in the order of the names; null if missing. */
  library: { names: readonly Name[] };
  tactics: { session: number; names: readonly string[] };
  memory: Record<string, never>;
  /** Answered by the embedded host, not by Lean. */
  'save-code': Record<string, never>;
  /** Save the heap, for workers that start from it; then the worker ends. */
  'save-image': Record<string, never>;
  stop: Record<string, never>;
}

export type Operation = keyof Requests;
export type OperationResult<Op extends Operation> = z.infer<(typeof results)[Op]>;
export type Body<Op extends Operation> = OperationResult<Op> | Failure;

/** Cost of a request: measured by the worker, or from outside if it was killed. */
export interface Cost {
  readonly cpuSeconds: number;
  /** Work in seconds of the reference machine. Limits count these, so a slow or busy machine proves as much. */
  readonly workSeconds: number;
  readonly wallSeconds: number;
  readonly peakBytes: number;
}
export const noCost: Cost = { cpuSeconds: 0, workSeconds: 0, wallSeconds: 0, peakBytes: 0 };

/** Heartbeats per second (in thousands, as Lean's options count them) on the reference machine. */
export const heartbeatsPerSecond = 3000;

/** Seconds per counted allocation on the reference machine. */
export function workOf(allocations: number): number {
  return allocations / 1000 / heartbeatsPerSecond;
}

export type Reply<Op extends Operation> = Body<Op> & { readonly cost: Cost };

const Envelope = z.object({
  id: z.string().nullable(),
  /** The worker ends after this answer. */
  last: z.boolean().optional(),
  cpu_ms: z.number().optional(),
  rss_bytes: z.number().optional(),
  peak_bytes: z.number().optional(),
  body: z.looseObject({ ok: z.boolean(), heartbeats: z.number().nonnegative().optional() }),
});
export type Envelope = z.infer<typeof Envelope>;

export function parseEnvelope(line: string): Envelope | undefined {
  try {
    return Envelope.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** The body of an answer, or a `crash` if it does not match the operation, as for a stale or forged answer. */
export function parseBody<Op extends Operation>(op: Op, body: unknown): Body<Op> {
  const failed = Failure.safeParse(body);
  if (failed.success) return failed.data;
  const parsed = results[op].safeParse(body);
  if (parsed.success) return parsed.data as Body<Op>;
  return failure('crash', `the worker's answer to "${op}" is malformed: ${z.prettifyError(parsed.error)}`);
}

export function failure(kind: FailureKind, message: string): Failure {
  return { ok: false, kind, message, messages: [], axioms: [], missing: [] };
}

/** Lean reads CR LF in a file as LF; text in a message is read the same way. */
export function withUnixLines<Fields extends object>(body: Fields): Fields {
  const read = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll('\r\n', '\n');
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.map(read) : value;
  };
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, read(value)])) as Fields;
}

/** A lone surrogate cannot be encoded: Lean would read different text. */
export function refuseIllFormed(body: object): Failure | undefined {
  const isIllFormed = Object.values(body).some((value) => typeof value === 'string' && !value.isWellFormed());
  return isIllFormed ? failure('invalid-request', 'the text is not well-formed Unicode') : undefined;
}

/** Maximum bytes of a worker's answer; a longer one is unknown. The embedded worker enforces it itself (host/serve.ts). */
export const maxAnswerBytes = 64 << 20;

/** Refuses, with a clear message, brackets nested deeper than Lean survives and requests larger than a worker reads. */
export function refuseOversized(line: string): Failure | undefined {
  if (Buffer.byteLength(line) > maxRequestBytes)
    return failure('invalid-request', `the request is larger than ${maxRequestBytes} bytes`);
  let depth = 0;
  for (const character of line) {
    if (character === '(' || character === '[' || character === '{' || character === '⟨') depth++;
    else if (character === ')' || character === ']' || character === '}' || character === '⟩') depth--;
    if (depth > maxNesting)
      return failure('invalid-request', `the text nests brackets deeper than ${maxNesting} levels`);
  }
  return undefined;
}
