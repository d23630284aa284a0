import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Orch } from '../../app/orch.ts';
import type { Allowance } from './budget.ts';
import type { ProjectFiles } from './project-files.ts';

/** A project, shared by all clients of a server: one Lean, one folder. */
export interface Desk {
  /** How clients name the project, unique in a server. */
  readonly name: string;
  readonly orch: Orch;
  readonly files: ProjectFiles;
  readonly clock: Clock;
  /** Writes run one at a time, so that two proofs for one file do not overwrite each other. */
  readonly write: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** One call of a tool. */
export interface Call {
  readonly desk: Desk;
  readonly budget: Allowance;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Whether it changes files or the ledger. */
  readonly changes: boolean;
  readonly run: (args: never, call: Call) => Promise<object>;
}

/** Ties the arguments of `run` to the schema they are checked with. The answer is checked against `output` before it is sent. */
export function tool<Input extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run' | 'changes'> & {
    readonly input: Input;
    readonly changes?: boolean;
    readonly run: (args: z.infer<Input>, call: Call) => Promise<object>;
  },
): Tool {
  return { changes: false, ...definition };
}

export const filePath = z
  .string()
  .min(1)
  .max(4096)
  .describe('Absolute or project-relative path of a Lean file');
export const line = z.int().min(1).describe('Line, from 1');
export const column = z.int().min(1).optional().describe('Column, from 1');
export const textContent = z.string().min(1).max(1_000_000);
export const secondsSchema = z.number().gt(0).max(3600);
