/** The public API, listed by hand; docs/LIBRARY.md shows it at work. */
export type { Fault, Result } from './core/result.ts';
export {
  open,
  Orch,
  type CallLimits,
  type FileAsk,
  type NamedQuestion,
  type OpenOptions,
  type ProveLimits,
  type Reference,
  type TacticsAsk,
} from './app/orch.ts';
export type { TacticAnswer, TacticsTried } from './app/tactics.ts';
export type { FoundPremise } from './lean/premises/ask.ts';
export { systemClock, type Clock } from './core/clock.ts';
export { UserError } from './core/errors.ts';
export { EventBus } from './core/events.ts';
export { ExitCode } from './core/exit.ts';
export type { Domain, Memory } from './core/scheduler/domain.ts';
export { Engine, type EngineParts } from './core/scheduler/engine.ts';
export { replayDecisions } from './core/scheduler/replay.ts';
export type { Arm, AttemptRun, Outcome, Strategy } from './core/strategy.ts';
export { Throttle } from './core/throttle.ts';
export { LeanDomain } from './lean/domain.ts';
export { environmentFingerprint, goalHash } from './lean/toolchain/fingerprint.ts';
export { Gate, type Claim, type FileClaim, type Question } from './lean/gate/gate.ts';
export type { GoalsRead, LeanGoal } from './lean/goals/goal.ts';
export { readGoals } from './lean/goals/read.ts';
export { Market } from './lean/market/market.ts';
export { type Lease } from './lean/workers/lease.ts';
export { LeanPool, PoolBroken, type PoolOptions } from './lean/workers/pool.ts';
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
  OperationResult,
  Sorry,
} from './lean/base/protocol.ts';
export type { Candidate } from './lean/workbench/candidate.ts';
export { microStrategy } from './lean/strategies/micro/micro.ts';
export { resolveToolchain, type ToolchainOptions } from './lean/toolchain/resolve.ts';
export type { Toolchain, ToolchainKind, ToolchainLimits } from './lean/toolchain/toolchain.ts';
export { Workbench } from './lean/workbench/workbench.ts';
export type { EventBodies, EventType, GoalClosed, RunEvent } from './shared/events.ts';
export type { Ledger } from './store/ledger/ledger.ts';
export type { LedgerOptions } from './store/ledger/ledger.ts';
export { openLedger } from './store/open.ts';
export type { Verdict } from './lean/gate/verdict.ts';
export type { ReadWith } from './lean/gate/verdict.ts';
export type { VerdictWord } from './shared/assurance.ts';
export type { Assurance } from './shared/assurance.ts';
export { assurances } from './shared/assurance.ts';
