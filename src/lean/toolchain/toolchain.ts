import type { SpawnRequest } from '../../io/child.ts';
import type { Options } from '../base/options.ts';

/**
 * Where a Lean comes from. A closed union: a path that the user configured, the toolchain of a Lake project through elan,
 * `lean` on PATH, or the embedded one that needs nothing. The first that is available wins, in this order.
 */
export type ToolchainKind = 'configured' | 'lake' | 'path' | 'embedded';

/** The limits of a toolchain that its users must know. */
export interface ToolchainLimits {
  /** The most memory one worker can ever use. */
  readonly maxMemoryBytes: number | undefined;
  /** Modules beyond the imports of an image cannot be loaded. */
  readonly fixedImports: boolean;
}

export interface Toolchain {
  readonly kind: ToolchainKind;
  /** "4.28.0" */
  readonly version: string;
  /** A native Lean as it is called: "/usr/bin/lake env lean in /home/ada/sums". */
  readonly program?: string;
  /** Modules that a worker imports before it serves. */
  readonly imports: readonly string[];
  readonly limits: ToolchainLimits;
  /** The session that user text is loaded on: on the embedded Lean, one in which the module header is already open. */
  readonly rootSession: number;
  /** What a worker imports of a project once it has started; that session is then the root. */
  readonly importing?: Importing;
  /** Where a native Lean runs: it finds the modules of the project there, and those of no other. */
  readonly folder?: string;
  /** The same Lean with other modules imported from the start, where it finds them by itself. */
  withImports?(imports: readonly string[]): Toolchain;
  /** Have Lake compile modules of its project; the answer is what it said where it failed. */
  lakeBuild?(modules: readonly string[]): Promise<string | undefined>;
  /** How to start one worker. */
  launch(): Promise<SpawnRequest>;
  /** Whether what only makes starts faster is there. Absent where there is nothing of the kind. */
  readonly hasFastStart?: () => Promise<boolean>;
  /** A worker died before it was ready: check what is on disk, and say whether a second try may help. */
  repair(): Promise<boolean>;
}

/** Modules of a project, and the options that its files are elaborated with. */
export interface Importing {
  readonly imports: readonly string[];
  readonly options: Options;
}

/** For people: whose word a verdict is. */
export function judgedBy({ kind, version, program }: Toolchain): string {
  const which = {
    configured: 'configured',
    lake: 'of the Lake project',
    path: 'on PATH',
    embedded: 'embedded',
  }[kind];
  return `judged by Lean ${version} (${which}${program === undefined ? '' : `: ${program}`})\n`;
}

/** Identifies everything that a verdict depends on besides the text; part of the environment fingerprint. */
export function describeToolchain(toolchain: Toolchain): string {
  return `lean-${toolchain.version}-${toolchain.kind}`;
}
