import os from 'node:os';

/**
 * Why a repository may not choose a setting by itself. `none`: it may. Every other value counts only from a folder that the
 * user has trusted, and never in CI (trust.ts).
 */
export type Risk = 'none' | 'program' | 'server' | 'folder' | 'cost' | 'check';

/** Each risk, for messages. */
export const riskTexts: Readonly<Record<Risk, string>> = {
  none: 'harmless',
  program: 'starts a program',
  server: 'names a server or a model on it',
  folder: 'names a file or folder that is read or written',
  cost: 'spends money, memory or disk',
  check: 'weakens a check',
};

export interface AboutSetting {
  /** One sentence without the default: `--help`, README, orch.schema.json and the example files show it. */
  readonly means: string;
  readonly risk: Risk;
  /** Values that any repository may choose despite the risk. */
  readonly harmless?: (value: unknown) => boolean;
}

const is = (wanted: string) => (value: unknown) => value === wanted;
const atMost = (limit: number) => (value: unknown) => typeof value === 'number' && value <= limit;

/** Every setting. This table is separate from the schema because `orch --help` needs only it, and zod takes 90 ms to load. */
export const aboutSettings = {
  lean: {
    means:
      'The Lean to use: the path of a `lean` executable, "lake" for the toolchain of the Lake project, or "embedded"; default: chosen automatically',
    risk: 'program',
    harmless: is('embedded'),
  },
  lake_build: {
    means: 'on: run `lake build` when a native Lean lacks a module (also: --build)',
    risk: 'program',
    harmless: is('off'),
  },
  cache_dir: { means: 'Folder for the embedded Lean; can be deleted at any time', risk: 'folder' },
  cache_max: {
    means: 'Maximum size of the cache folder in gigabytes; least recently used files are removed first',
    risk: 'cost',
  },
  data: { means: 'Folder with problem sets that are not part of the repository', risk: 'folder' },
  profile: {
    means:
      'Which strategies run: 0 = micro; 1 = + copilot; 2 = + reprover. sketch joins if a model is configured',
    risk: 'none',
  },
  strategies: { means: "Strategies to run instead of the profile's", risk: 'none' },
  features: { means: 'Strategies to turn off, even if profile or strategies include them', risk: 'none' },
  budgets: {
    means: "Factors for a strategy's limits per attempt: 2 doubles its CPU time and heartbeats",
    risk: 'none',
  },
  cpu_target: { means: 'Share of all cores that orch and its workers may use', risk: 'none' },
  max_light: { means: 'Maximum number of concurrent light attempts', risk: 'none' },
  max_heavy: { means: 'Maximum number of concurrent heavy attempts', risk: 'none' },
  escalate_threshold: {
    means: 'Difficulty from which heavy strategies start after two light arms have failed',
    risk: 'none',
  },
  num_procs: { means: 'Number of Lean workers', risk: 'cost', harmless: atMost(os.availableParallelism()) },
  goal_cpu: {
    means:
      'CPU-seconds per goal, converted to the speed of a reference machine so that a limit means the same everywhere',
    risk: 'none',
  },
  ledger: {
    means: 'Database of runs, goals, attempts and proofs: a SQLite file or postgres://…',
    risk: 'folder',
  },
  policy: {
    means:
      'How the next arm is chosen: ucb1 = stage by stage, racing; static = one fixed order; contextual = one at a time by estimated chance and cost',
    risk: 'none',
  },
  ucb: {
    means: 'How much the policy ucb1 prefers arms that it has tried rarely; 0 always takes the best average',
    risk: 'none',
  },
  cpu_alpha: {
    means:
      'Weight of a new reading in the moving average of other processes’ load; lower values react more slowly',
    risk: 'none',
  },
  market: { means: 'on: unsolved goals request helper lemmas', risk: 'none' },
  open_lemmas: {
    means:
      'on: goals are also proved from open theorems above them; such proofs are written, but do not count as solved',
    risk: 'none',
  },
  second_kernel: {
    means:
      'Check proofs that are written into files, shipped or complete a ticket with the second kernel as well: off, sample (one in ten) or always',
    risk: 'check',
    harmless: is('always'),
  },
  scripts: {
    means:
      'Try scripts of earlier proofs first on equal and similar goals, and use imported caches: on, off, only (nothing else), or auto, which is on for bg, sweep and prove',
    risk: 'none',
  },
  model: {
    means:
      'Language model for plans and tactics: anthropic:NAME, openai:URL#NAME, copilot:URL#NAME, onnx:FOLDER or cmd:COMMAND',
    risk: 'program',
  },
  model_writer: { means: 'Model of the writer in `clinic --agents`; default: model', risk: 'program' },
  model_verifier: { means: 'Model of the verifier in `clinic --agents`; default: model', risk: 'program' },
  model_golfer: { means: 'Model of the golfer in `clinic --agents`; default: model', risk: 'program' },
  model_env: {
    means:
      'Environment variables that a cmd: model receives besides PATH, HOME and the like, such as the key it needs',
    risk: 'program',
  },
  encoder: {
    means:
      'Model that embeds premises and goals: onnx:FOLDER, openai:URL#NAME or copilot:URL#NAME; see orch premises --make-vectors',
    risk: 'server',
  },
  model_cache: { means: 'Folder for cached answers of language models', risk: 'folder' },
  model_network: {
    means: 'off: answer model requests from the cache only, to replay a run without a network',
    risk: 'none',
  },
  model_budget: {
    means: 'Dollars for language models per run; needs model_price_in and model_price_out',
    risk: 'none',
  },
  model_tokens: { means: 'Tokens for language models per run, input and output', risk: 'none' },
  model_goal_budget: {
    means: 'Dollars for language models per goal; needs model_price_in and model_price_out',
    risk: 'none',
  },
  model_goal_tokens: {
    means: 'Tokens for language models per goal, input and output',
    risk: 'cost',
    harmless: atMost(60_000),
  },
  model_goal_seconds: {
    means: 'Seconds per goal spent waiting for language models',
    risk: 'cost',
    harmless: atMost(180),
  },
  cloud_budget: { means: 'Seconds per run spent waiting for cloud services', risk: 'none' },
  gpu: { means: 'Seconds of local or network GPU time per run; 0 disables it', risk: 'none' },
  model_price_in: { means: 'Dollars per million input tokens', risk: 'cost' },
  model_price_out: { means: 'Dollars per million output tokens', risk: 'cost' },
  model_calls: { means: 'Maximum model calls per minute', risk: 'none' },
  model_jobs: { means: 'Concurrent requests to a model on a local or network GPU', risk: 'none' },
  model_beam: { means: 'Tactics that a tactic-only model proposes per state: its beam width', risk: 'none' },
  model_samples: { means: 'Tactics that a general model proposes per state', risk: 'none' },
  model_batch: { means: 'Open states per model request', risk: 'none' },
  model_temperature: { means: 'Sampling temperature for tactics, if the model supports it', risk: 'none' },
  copilot_url: {
    means: 'URL of a server with Lean Copilot’s external-model protocol, used by the copilot strategy',
    risk: 'server',
  },
  copilot_model: { means: 'Model name for copilot_url', risk: 'server' },
  editor: {
    means: 'URL that the dashboard uses to open an editor; {file}, {line} and {column} are replaced',
    risk: 'program',
  },
  log_level: { means: 'Log level for stderr or the log file', risk: 'none' },
  log_file: { means: 'Append the log to this file, as JSON lines', risk: 'folder' },
} as const satisfies Record<string, AboutSetting>;
export type SettingName = keyof typeof aboutSettings;

export const settingNames = Object.keys(aboutSettings) as SettingName[];

export const descriptions = Object.fromEntries(
  settingNames.map((name) => [name, aboutSettings[name].means]),
) as Readonly<Record<SettingName, string>>;

/** All strategies, in the order of their tiers. */
export const strategyNames = ['micro', 'copilot', 'sketch', 'reprover'] as const;
export type StrategyName = (typeof strategyNames)[number];

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
