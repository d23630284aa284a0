import type { SpawnRequest } from '../../io/child.ts';
import type { Options } from '../base/options.ts';

/**
 * Where a Lean comes from: a path that the user configured, a Lake project's toolchain through elan, `lean` on PATH,
 * or the embedded one, which needs no installation. The first available one is used, in this order.
 */
export type ToolchainKind = 'configured' | 'lake' | 'path' | 'embedded';

/** Limits of a toolchain that its users must know. */
export interface ToolchainLimits {
  /** The most memory that one worker can use. */
  readonly maxMemoryBytes: number | undefined;
  /** Modules beyond the imports of an image cannot be loaded. */
  readonly fixedImports: boolean;
}

export interface Toolchain {
  readonly kind: ToolchainKind;
  /** "4.28.0" */
  readonly version: string;
  /** The command line of a native Lean: "/usr/bin/lake env lean in /home/ada/sums". */
  readonly program?: string;
  /** Modules that a worker imports before it serves. */
  readonly imports: readonly string[];
  readonly limits: ToolchainLimits;
  /** The session on which user text is loaded; on the embedded Lean it already contains the module header. */
  readonly rootSession: number;
  /** Project modules that a worker imports after its start; the resulting session is the root. */
  readonly importing?: Importing;
  /** The working directory of a native Lean, which finds only the modules of this project. */
  readonly folder?: string;
  /** The same Lean with other initial imports, if it can find them itself. */
  withImports?(imports: readonly string[]): Toolchain;
  /** Has Lake compile modules of its project. Returns Lake's output if it fails. */
  lakeBuild?(modules: readonly string[]): Promise<string | undefined>;
  /** The same Lean for a work tree of its project, in which Lake may write its build output. */
  inWorkTree?(folder: string): Promise<Toolchain>;
  /** How to start one worker. */
  launch(): Promise<SpawnRequest>;
  /** Whether the data that only makes starts faster is built. Absent if the toolchain has none. */
  readonly hasFastStart?: () => Promise<boolean>;
  /** Called when a worker died before it was ready: checks the files on disk, and returns whether a retry may help. */
  repair(): Promise<boolean>;
}

/** Modules of a project, and the options used to elaborate its files. */
export interface Importing {
  readonly imports: readonly string[];
  readonly options: Options;
}

/** For people: which Lean a verdict comes from. */
export function judgedBy({ kind, version, program }: Toolchain): string {
  const which = {
    configured: 'configured',
    lake: 'of the Lake project',
    path: 'on PATH',
    embedded: 'embedded',
  }[kind];
  return `judged by Lean ${version} (${which}${program === undefined ? '' : `: ${program}`})\n`;
}

/** Identifies everything besides the text that a verdict depends on; part of the environment fingerprint. */
export function describeToolchain(toolchain: Toolchain): string {
  return `lean-${toolchain.version}-${toolchain.kind}`;
}
