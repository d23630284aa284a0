import type { Clock } from '../../core/clock.ts';
import type { Verdict } from '../gate/verdict.ts';
import { goalText } from '../base/goal-text.ts';
import { environmentKey, type LeanEnvironment } from '../project/environment.ts';
import type { Gate, JudgedFile } from '../gate/gate.ts';
import type { Failure } from '../base/protocol.ts';
import { forFile, type LeanPool } from '../workers/pool.ts';
import { replPlace, replMessage, type ReplMessage } from './repl-wire.ts';
import { sha256 } from '../../core/sha256.ts';

/** A snippet in a request to Kimina's server. */
export interface Snippet {
  readonly id: string;
  readonly code: string;
}

/** The answer of a REPL, and the gate's verdict. Clients treat a snippet without errors and sorrys as valid. */
interface SnippetResponse {
  readonly env: number;
  readonly messages?: readonly ReplMessage[];
  readonly sorries?: readonly {
    readonly pos: { readonly line: number; readonly column: number };
    readonly endPos: { readonly line: number; readonly column: number };
    readonly goal: string;
  }[];
  /** In the format of leanprover-community/repl. */
  readonly infotree?: readonly unknown[];
}

export interface SnippetResult {
  readonly id: string;
  /** Wall-clock seconds. */
  readonly time: number;
  readonly error?: string;
  readonly response?: SnippetResponse;
  readonly diagnostics?: {
    readonly repl_uuid: string;
    readonly cpu_max: number;
    readonly memory_max: number;
    /** Ours: the gate's verdict on every theorem. */
    readonly verdicts: readonly Verdict[];
  };
}

export interface SnippetLean {
  readonly gate: Gate;
  readonly environment: LeanEnvironment;
  readonly clock: Clock;
  readonly pool: LeanPool;
}

export interface SnippetWishes {
  /** Wall-clock seconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** The detail of the info tree that the answer contains; none by default. */
  readonly infotree?: string | undefined;
  /** Called when the snippet no longer needs a worker, only the judge. */
  readonly onElaborated?: () => void;
}

/** Elaborates a snippet and judges it. An info tree takes a second elaboration. */
export async function checkSnippet(
  { id, code }: Snippet,
  { gate, environment, clock, pool }: SnippetLean,
  { timeout, signal, infotree, onElaborated }: SnippetWishes,
): Promise<SnippetResult> {
  const startedAt = clock.now();
  const limits = { deadlineMs: Math.max(1, timeout * 1000), signal };
  const judged = await gate.judgeFile({ text: code, environment }, limits, {
    sorries: true,
    ...(infotree === undefined && { onElaborated }),
  });
  const failure = errorOf(judged, timeout);
  const tree =
    infotree === undefined || failure !== undefined
      ? undefined
      : await pool.use(
          async (lease) =>
            await lease.request(
              'repl',
              { session: lease.fileSession, text: code, header: true, infotree },
              limits,
            ),
          forFile(environment),
        );
  const time = (clock.now() - startedAt) / 1000;
  const { verdicts } = judged;
  const cpu = verdicts.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0);
  const diagnostics = {
    repl_uuid: uuidOf(environment),
    cpu_max: time > 0 ? (100 * cpu) / time : 0,
    memory_max: Math.max(0, ...pool.status().map(({ residentBytes }) => residentBytes)) / 1e6,
    verdicts,
  };
  const error = failure ?? (tree?.ok === false ? errorOfTree(tree, timeout) : undefined);
  if (error !== undefined) return { id, time, error, diagnostics };
  const trees = tree?.ok === true && tree.infotree ? { infotree: tree.infotree } : {};
  return { id, time, response: { ...responseOf(judged), ...trees }, diagnostics };
}

/** Snippets with the same imports share workers, so the imports are its environment. */
function uuidOf(environment: LeanEnvironment): string {
  const hash = sha256(environmentKey(environment));
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, '$1-$2-$3-$4-$5');
}

function errorOfTree({ kind, message }: Failure, timeout: number): string {
  return kind === 'timeout' ? timedOut(timeout) : `${kind}: ${message}`;
}

/** Text that clients recognise: "timed out" is a separate status for them. */
function timedOut(timeout: number): string {
  return `Lean REPL command timed out in ${timeout} seconds`;
}

function errorOf({ verdicts, messages }: JudgedFile, timeout: number): string | undefined {
  const [only, ...others] = verdicts;
  if (!only || others.length > 0 || only.name !== undefined) return undefined;
  // Lean may have reported an error of its own when it was stopped
  if (messages.length > 0 && only.kind !== 'timeout') return undefined;
  switch (only.kind) {
    case 'timeout':
    case 'heartbeats':
      return timedOut(timeout);
    case 'missing-import':
    case 'crash':
    case 'memory':
    case 'cancelled':
    case 'invalid-request':
      return `${only.kind}: ${only.message}`;
    default:
      return undefined;
  }
}

function responseOf({ verdicts, messages, sorries }: JudgedFile): SnippetResponse {
  const said = messages.map(replMessage);
  const isWrong = said.some(({ severity }) => severity === 'error');
  const isOpen = sorries.length > 0;
  // Lean's errors are already reported; add what only the gate rejects
  const objections = isWrong || isOpen ? [] : verdicts.filter(isRefused).map(objection);
  const all = [...said, ...objections];
  return {
    env: 0,
    ...(all.length > 0 && { messages: all }),
    ...(isOpen && {
      sorries: sorries.map(({ start, end, goals }) => ({
        pos: replPlace(start),
        endPos: replPlace(end),
        goal: goals.map(goalText).join('\n'),
      })),
    }),
  };
}

/** A snippet without theorems makes no claim. */
function isRefused({ verdict, kind }: Verdict): boolean {
  return verdict !== 'accepted' && kind !== 'no-theorem';
}

function objection({ name, verdict, kind, message }: Verdict): ReplMessage {
  const about = name === undefined ? '' : `${name} is `;
  const data = `the gate: ${about}${verdict} (${kind}): ${message}`;
  return { severity: 'error', pos: { line: 1, column: 0 }, endPos: null, data };
}
