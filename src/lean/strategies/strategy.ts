import type { Outcome, Strategy } from '../../core/strategy.ts';
import type { Candidate, ScriptTrace } from '../workbench/candidate.ts';
import type { Workbench } from '../workbench/workbench.ts';

/** A strategy for Lean goals: it works on a workbench and proposes a proof. */
export type LeanStrategy = Strategy<Workbench, Candidate, ScriptTrace>;
export type LeanOutcome = Outcome<Candidate, ScriptTrace>;
