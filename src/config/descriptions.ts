/**
 * What each setting is for, in one sentence without its default: `--help`, README, orch.schema.json and the example files
 * show these texts. They stand apart from the schema because `orch --help` needs only them, and zod takes 90 ms to load.
 */
export const descriptions = {
  lean: 'Path of the `lean` executable, or "embedded"; default: chosen automatically',
  lake_build: 'on: run `lake build` when a native Lean lacks a module (also: --build)',
  cache_dir: 'Folder for the embedded Lean; can be deleted at any time',
  cache_max: 'Maximum size of the cache folder in gigabytes; least recently used files are removed first',
  data: 'Folder with problem sets that are not part of the repository',
  profile:
    'Which strategies run: 0 = micro; 1 = + copilot; 2 = + reprover. sketch joins if a model is configured',
  strategies: "Strategies to run instead of the profile's",
  features: 'Turn strategies off, whatever profile and strategies say',
  cpu_target: 'Share of all cores that orch and its workers may use',
  max_light: 'Maximum number of concurrent light attempts',
  max_heavy: 'Maximum number of concurrent heavy attempts',
  escalate_threshold: 'Difficulty from which heavy strategies start after two light arms have failed',
  num_procs: 'Number of Lean workers',
  goal_cpu: 'CPU-seconds per goal',
  ledger: 'Database of runs, goals, attempts and proofs: a SQLite file or postgres://…',
  policy:
    'How the next arm is chosen: ucb1 = stage by stage, racing; static = one fixed order; contextual = one at a time by estimated chance and cost',
  market: 'on: unsolved goals request helper lemmas',
  scripts: 'on: keep scripts of solved goals and try them first on equal and similar goals',
  model:
    'Language model for plans and tactics: anthropic:NAME, openai:URL#NAME, copilot:URL#NAME, onnx:FOLDER or cmd:COMMAND',
  encoder:
    'Model that embeds premises and goals: onnx:FOLDER, openai:URL#NAME or copilot:URL#NAME; see orch premises --make-vectors',
  model_cache: 'Folder for cached answers of language models',
  model_network: 'off: answer model requests from the cache only, to replay a run without a network',
  model_budget: 'Dollars for language models per run; needs model_price_in and model_price_out',
  model_tokens: 'Tokens for language models per run, input and output',
  model_goal_budget: 'Dollars for language models per goal; needs model_price_in and model_price_out',
  model_goal_tokens: 'Tokens for language models per goal, input and output',
  model_goal_seconds: 'Seconds of waiting for language models per goal',
  cloud_budget: 'Seconds of waiting for cloud services per run',
  gpu: 'Seconds of local or network GPU time per run; 0 disables it',
  model_price_in: 'Dollars per million input tokens',
  model_price_out: 'Dollars per million output tokens',
  model_calls: 'Maximum model calls per minute',
  copilot_url: 'URL of a server with Lean Copilot’s external-model protocol, used by the copilot strategy',
  copilot_model: 'Model name for copilot_url',
  editor: 'URL that the dashboard uses to open an editor; {file}, {line} and {column} are replaced',
  log_level: 'Log level for stderr or the log file',
  log_file: 'Append the log to this file, as JSON lines',
} as const;
export type SettingName = keyof typeof descriptions;

/** The strategies that there are, in the order of their tiers. */
export const strategyNames = ['micro', 'copilot', 'sketch', 'reprover'] as const;
export type StrategyName = (typeof strategyNames)[number];

export const policyNames = ['ucb1', 'static', 'contextual'] as const;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
