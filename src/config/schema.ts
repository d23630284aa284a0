import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { policyNames } from '../shared/events.ts';
import { userCacheFolder } from './home.ts';
import {
  descriptions as texts,
  logLevels,
  strategyNames,
  type SettingName,
  type StrategyName,
} from './descriptions.ts';

/**
 * Every setting: its type and its default, as orch.toml holds it; docs and the file's JSON schema come from here. A setting
 * `a_b` is written `a_b = …` in orch.toml, ORCH_A_B in .env and the environment, and `--a-b` where a command takes it.
 * Defaults that depend on the machine or on another setting are in `complete` and `workersOf` below.
 */
export const SettingsFile = z.strictObject({
  lean: z.string().optional().describe(texts.lean),
  lake_build: z.enum(['on', 'off']).default('off').describe(texts.lake_build),
  cache_dir: z.string().optional().describe(texts.cache_dir),
  cache_max: z.number().gt(0).default(20).describe(texts.cache_max),
  data: z.string().optional().describe(texts.data),
  profile: z.literal([0, 1, 2]).default(0).describe(texts.profile),
  strategies: z.array(z.enum(strategyNames)).default([]).describe(texts.strategies),
  features: z
    .partialRecord(z.enum(strategyNames), z.union([z.boolean(), z.enum(['on', 'off'])]))
    .default({})
    .describe(texts.features),
  budgets: z
    .partialRecord(z.enum(strategyNames), z.number().min(0.1).max(100))
    .default({})
    .describe(texts.budgets),
  cpu_target: z.number().gt(0).max(1).default(0.5).describe(texts.cpu_target),
  max_light: z.int().min(1).max(256).default(8).describe(texts.max_light),
  max_heavy: z.int().min(0).max(256).optional().describe(texts.max_heavy),
  escalate_threshold: z.number().min(0).max(1).default(0.6).describe(texts.escalate_threshold),
  num_procs: z.int().min(1).max(256).optional().describe(texts.num_procs),
  goal_cpu: z.number().gt(0).max(86_400).default(120).describe(texts.goal_cpu),
  ledger: z.string().min(1).default('.orch/ledger.db').describe(texts.ledger),
  policy: z.enum(policyNames).default('ucb1').describe(texts.policy),
  ucb: z.number().min(0).max(100).default(1.5).describe(texts.ucb),
  cpu_alpha: z.number().gt(0).max(1).default(0.1).describe(texts.cpu_alpha),
  market: z.enum(['on', 'off']).default('on').describe(texts.market),
  open_lemmas: z.enum(['on', 'off']).default('on').describe(texts.open_lemmas),
  second_kernel: z.enum(['off', 'sample', 'always']).default('always').describe(texts.second_kernel),
  scripts: z.enum(['auto', 'on', 'off', 'only']).default('auto').describe(texts.scripts),
  model: z.string().min(1).optional().describe(texts.model),
  model_writer: z.string().min(1).optional().describe(texts.model_writer),
  model_verifier: z.string().min(1).optional().describe(texts.model_verifier),
  model_golfer: z.string().min(1).optional().describe(texts.model_golfer),
  model_env: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/))
    .default([])
    .describe(texts.model_env),
  encoder: z.string().min(1).optional().describe(texts.encoder),
  model_cache: z.string().min(1).default('.orch/models').describe(texts.model_cache),
  model_network: z.enum(['on', 'off']).default('on').describe(texts.model_network),
  model_budget: z.number().min(0).optional().describe(texts.model_budget),
  model_tokens: z.int().min(0).optional().describe(texts.model_tokens),
  model_goal_budget: z.number().min(0).optional().describe(texts.model_goal_budget),
  model_goal_tokens: z.int().min(0).default(60_000).describe(texts.model_goal_tokens),
  model_goal_seconds: z.number().min(0).default(180).describe(texts.model_goal_seconds),
  cloud_budget: z.number().min(0).optional().describe(texts.cloud_budget),
  gpu: z.number().min(0).optional().describe(texts.gpu),
  model_price_in: z.number().min(0).optional().describe(texts.model_price_in),
  model_price_out: z.number().min(0).optional().describe(texts.model_price_out),
  model_calls: z.int().min(1).optional().describe(texts.model_calls),
  model_jobs: z.int().min(1).max(256).default(1).describe(texts.model_jobs),
  model_beam: z.int().min(1).max(64).default(4).describe(texts.model_beam),
  model_samples: z.int().min(1).max(64).default(8).describe(texts.model_samples),
  model_batch: z.int().min(1).max(64).default(4).describe(texts.model_batch),
  model_temperature: z.number().min(0).max(2).default(0.2).describe(texts.model_temperature),
  copilot_url: z.url().optional().describe(texts.copilot_url),
  copilot_model: z.string().optional().describe(texts.copilot_model),
  editor: z
    .string()
    .regex(/^[a-z][a-z0-9+.-]*:/i, 'expected an address, such as vscode://file{file}:{line}:{column}')
    .default('vscode://file{file}:{line}:{column}')
    .describe(texts.editor),
  log_level: z.enum(logLevels).default('warn').describe(texts.log_level),
  log_file: z.string().min(1).optional().describe(texts.log_file),
} satisfies Record<SettingName, z.ZodType>);

/** Computed defaults, as the documents describe them. */
export const computedDefaults: Partial<Record<SettingName, string>> = {
  cache_dir: '`orch` in `XDG_CACHE_HOME`',
  max_heavy: '2; at profile 0: 0',
  num_procs: 'min(8, cores × `cpu_target`)',
};

export const Settings = SettingsFile.transform(complete);
export type Settings = Readonly<z.infer<typeof Settings>>;

/** Environment variables that are not ORCH_ plus the setting in capitals. */
export const environmentAliases: Readonly<Record<string, SettingName>> = { NUM_PROCS: 'num_procs' };

const strategiesOfProfile: Readonly<Record<Settings['profile'], readonly StrategyName[]>> = {
  0: ['micro'],
  1: ['micro', 'copilot'],
  2: ['micro', 'copilot', 'reprover'],
};

function complete({ features, cache_dir, max_heavy, ...rest }: z.infer<typeof SettingsFile>) {
  return {
    ...rest,
    cache_dir: cache_dir ?? path.join(userCacheFolder(), 'orch'),
    max_heavy: max_heavy ?? (rest.profile === 0 ? 0 : 2),
    /** True: may run. Strategies without a switch may run. */
    features: Object.fromEntries(
      Object.entries(features).map(([name, on]) => [name, on === true || on === 'on']),
    ) as Readonly<Partial<Record<StrategyName, boolean>>>,
  };
}

/**
 * The strategies that these settings ask for: those named, else those of the profile, plus sketch if there is a model; never a frozen one.
 */
export function strategiesOf({
  profile,
  strategies,
  features,
  model,
}: Pick<Settings, 'profile' | 'strategies' | 'features' | 'model'>): StrategyName[] {
  const planning: readonly StrategyName[] = model === undefined ? [] : ['sketch'];
  const wanted = strategies.length > 0 ? strategies : [...strategiesOfProfile[profile], ...planning];
  return strategyNames.filter((name) => wanted.includes(name) && features[name] !== false);
}

/**
 * How many Lean workers run: as many as the CPU target can keep busy, at most 8 (each holds a Lean heap of hundreds of MB). At 0.5 that is min(8, cores ÷ 2). Rounded up: at target 0.9, two cores get two workers and the throttle does the rest.
 */
export function workersOf(
  { num_procs, cpu_target }: Pick<Settings, 'num_procs' | 'cpu_target'>,
  cores = os.availableParallelism(),
): number {
  // 1e-9: a product such as 30 × 0.1 may be slightly above the intended whole number
  return num_procs ?? Math.max(1, Math.min(8, Math.ceil(cores * cpu_target - 1e-9)));
}
