/**
 * What each setting is for, in one sentence without its default: `--help`, README, orch.schema.json and the example files
 * show these texts. They stand apart from the schema because `orch --help` needs only them, and zod takes 90 ms to load.
 */
export const descriptions = {
  lean: 'Path of a `lean` program to use instead of the one that orch would choose, or "embedded"',
  lake_build: 'on: `lake build` compiles what a native Lean wants to import and lacks (also: --build)',
  cache_dir: 'Folder of the embedded Lean; it can be deleted at any time',
  cache_max:
    'Gigabytes that the cache folder may hold; images and modules that were not used for longest go first',
  data: 'Folder with problem sets that are not part of the repository',
  profile:
    'Which strategies run: 0 = micro; 1 = + copilot; 2 = + reprover; sketch is part of each where a model is named. Starts at 0, which needs nothing besides Lean and answers the same on every machine',
  strategies: 'Exactly these strategies instead of those of the profile; empty: those of the profile',
  features: 'Freeze switches: a strategy that is off never runs, whatever profile and strategies say',
  cpu_target: 'Share of all cores that orch and its workers may use together',
  max_light: 'How many light attempts may run at the same time',
  max_heavy: 'How many heavy attempts may run at the same time',
  escalate_threshold:
    'Heavy strategies start on a goal of this difficulty or more, once two light arms failed on it',
  num_procs: 'How many Lean workers run at the same time',
  goal_cpu: 'CPU-seconds that one goal may cost',
  ledger: 'The database that remembers every run, goal, attempt and proof: a SQLite file, or postgres://…',
  policy:
    'Which arm next, once the cheap ones have failed: ucb1 = stage by stage, those of a stage race; static = one order for all goals; contextual = one by one, by chance and cost on such goals',
  market:
    'on: a goal that resists asks for a helper lemma, which is then worked on like any other goal; off: none is asked for',
  scripts:
    'on: scripts that closed earlier goals are tried first on the same goals and on those that are alike; off: none is kept or tried',
  model:
    'The language model that plans proofs and proposes tactics: anthropic:NAME, openai:URL#NAME, copilot:URL#NAME, onnx:FOLDER or cmd:COMMAND; sketch takes part wherever one can plan',
  encoder:
    'The model that turns premises and goals into vectors: onnx:FOLDER, openai:URL#NAME or copilot:URL#NAME; orch premises --make-vectors makes them, once',
  model_cache:
    'Folder of the answers of language models, by content: what was asked before is not asked again',
  model_network:
    'off: language models are answered from the cache alone, so a run can be replayed without a network',
  model_budget: 'Dollars that language models may cost in one run; needs model_price_in and model_price_out',
  model_tokens: 'Tokens that language models may read and write in one run',
  model_goal_budget: 'Dollars that language models may cost on one goal; needs the prices too',
  model_goal_tokens: 'Tokens that language models may read and write on one goal',
  model_goal_seconds: 'Seconds that language models may take on one goal, from question to answer',
  cloud_budget: 'Seconds that services in the cloud may take in one run, from question to answer',
  gpu: 'Seconds that models on a GPU of this machine or of its network may take in one run; 0: none',
  model_price_in: 'Dollars that a million tokens of a prompt cost',
  model_price_out: 'Dollars that a million tokens of an answer cost',
  model_calls: 'How many calls of a language model a minute may have',
  copilot_url:
    'Address of a server that speaks Lean Copilot’s external-model wire; the copilot strategy asks it for tactics',
  copilot_model: 'The model that such a server is asked for',
  editor: 'Address by which the page opens an editor; {file}, {line} and {column} are filled in',
  log_level: 'How much is logged, on stderr or into the log file',
  log_file: 'File that the log is appended to, as JSON lines',
} as const;
export type SettingName = keyof typeof descriptions;

/** The strategies that there are, in the order of their tiers. */
export const strategyNames = ['micro', 'copilot', 'sketch', 'reprover'] as const;
export type StrategyName = (typeof strategyNames)[number];

export const policyNames = ['ucb1', 'static', 'contextual'] as const;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
