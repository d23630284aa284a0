import type { logLevels } from '../../config/descriptions.ts';

/** All options of `orch arc run`. Names follow the flags. */
export interface RunFlags {
  readonly batchFile: string;
  readonly outJsonl: string;
  readonly data?: string;
  readonly describerCheckpoint: string;
  readonly rulerCheckpoint: string;
  readonly enhancedRulerCheckpoint?: string;
  readonly criticCheckpoint: string;
  readonly teacher: 'on' | 'off';
  readonly loopIters: number;
  readonly iters?: number;
  readonly candidateK: number;
  readonly KDrafts?: number;
  readonly editK: number;
  readonly editTopM: number;
  readonly memoryK: number;
  readonly memoryKEpisodes: number;
  readonly memoryKCases: number;
  readonly memoryKSolvedExamples: number;
  readonly memoryKRepairCases: number;
  readonly memoryMaxBytes: number;
  readonly trainNamespace?: string;
  readonly metricsJson?: string;
  readonly traceJsonl?: string;
  readonly criticBufferJsonl?: string;
  readonly rulerStudentBufferJsonl?: string;
  readonly html?: string;
  readonly outDir?: string;
  readonly criticBatchRun: boolean;
  readonly criticBuildRankingDs: boolean;
  readonly criticDirectiveSweep: boolean;
  readonly criticBuildBlameDs: boolean;
  readonly failedOnly: boolean;
  readonly MSeeds: number;
  readonly JEdits: number;
  readonly deltaThreshold: number;
  readonly maxTasks?: number;
  readonly failFast: boolean;
  readonly seed: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly logFile?: string;
  readonly maxNodes: number;
  readonly recogniser: boolean;
  readonly workers?: number;
  readonly resume: boolean;
}
