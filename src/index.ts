/** The public API, listed by hand. */
export { systemClock, type Clock } from './core/clock.ts';
export { UserError } from './core/errors.ts';
export { ExitCode } from './core/exit.ts';
export { assurances, type Assurance, type Verdict, type VerdictWord } from './core/verdict.ts';
export { environmentFingerprint, goalHash } from './lean/fingerprint.ts';
export { Gate, type Claim, type FileClaim } from './lean/gate/gate.ts';
export { LeanPool, PoolBroken, type Lease, type PoolOptions } from './lean/pool.ts';
export type {
  Constant,
  Failure,
  FailureKind,
  Goal,
  Message,
  Operation,
  ProofState,
  Reply,
  Requests,
  Result,
  Sorry,
} from './lean/protocol.ts';
export { resolveToolchain, type ToolchainOptions } from './lean/toolchain/resolve.ts';
export type { Toolchain, ToolchainKind, ToolchainLimits } from './lean/toolchain/toolchain.ts';
