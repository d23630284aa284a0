import * as z from 'zod';
import {
  aboutSettings,
  descriptions,
  riskTexts,
  settingNames as names,
  type SettingName,
} from '../src/config/descriptions.ts';
import { computedDefaults, environmentAliases, SettingsFile } from '../src/config/schema.ts';
import { allowed } from '../src/config/text.ts';

/** The files generated from the settings schema: file name → content. */
export function settingsDocuments(): Record<string, string> {
  return {
    'orch.schema.json': `${JSON.stringify(jsonSchema(), null, 2)}\n`,
    'orch.example.toml': exampleToml(),
    '.env.example': exampleEnvironment(),
    'docs/SETTINGS.md': settingsPage(),
  };
}

function jsonSchema(): object {
  const { properties = {}, ...schema } = z.toJSONSchema(SettingsFile, { io: 'input', target: 'draft-7' });
  const explained = Object.entries(properties).map(([name, property]) => {
    const trust = trustNeeded(name as SettingName);
    const told = `${descriptions[name as SettingName]}${trust === undefined ? '' : `. Needs orch trust: ${trust}`}`;
    return [name, { ...(property as object), description: told }];
  });
  return {
    ...schema,
    properties: Object.fromEntries(explained),
    title: 'orch.toml',
    description: 'Settings of orch',
  };
}

function defaultOf(name: SettingName): unknown {
  const { properties } = z.toJSONSchema(SettingsFile, { io: 'input' });
  const property = properties?.[name];
  return typeof property === 'object' ? property.default : undefined;
}

/** Why a value from a checkout counts only in a trusted folder; nothing where it always counts. */
function trustNeeded(name: SettingName): string | undefined {
  const { risk } = aboutSettings[name];
  return risk === 'none' ? undefined : riskTexts[risk];
}

/** The example value of a setting without a fixed default. */
const examples: Partial<Record<SettingName, unknown>> = {
  lean: 'embedded',
  cache_dir: '/tmp/orch-cache',
  data: '../data',
  max_heavy: 2,
  num_procs: 2,
  log_file: '.orch/orch.log',
  model: 'openai:http://127.0.0.1:8000/v1#qwen',
  model_writer: 'anthropic:NAME',
  model_verifier: 'openai:http://127.0.0.1:8000/v1#qwen',
  model_golfer: 'openai:http://127.0.0.1:8000/v1#qwen',
  encoder: 'onnx:weights/retriever',
  model_budget: 5,
  model_tokens: 2_000_000,
  model_goal_budget: 0.1,
  cloud_budget: 3600,
  gpu: 3600,
  copilot_url: 'http://127.0.0.1:23337',
  copilot_model: 'orch',
  model_price_in: 3,
  model_price_out: 15,
  model_calls: 60,
};

/** Settings that are tables in orch.toml, with an example of a line and of a variable. */
const tables: Partial<Record<SettingName, { readonly toml: string; readonly variable: string }>> = {
  features: { toml: 'copilot = "off"', variable: 'copilot:off,reprover:off' },
  budgets: { toml: 'micro = 2', variable: 'micro:2,copilot:0.5' },
};

function exampleToml(): string {
  const head =
    '#:schema ./orch.schema.json\n# Copy to orch.toml, take the # away from what you want to change.\n';
  // a table ends only where another begins, so tables come last
  const entries = names
    .filter((name) => tables[name] === undefined)
    .map((name) => {
      const value = JSON.stringify(defaultOf(name) ?? examples[name]);
      return `${comment(name)}# ${name} = ${value}\n`;
    });
  const atTheEnd = names.flatMap((name) => {
    const table = tables[name];
    return table ? [`${comment(name)}# [${name}]\n# ${table.toml}\n`] : [];
  });
  return [head, ...entries, ...atTheEnd].join('\n');
}

function exampleEnvironment(): string {
  const head =
    '# Copy to .env, take the # away from what you want to change. Variables of the environment win over this file.\n';
  const entries = names.map((name) => {
    const value = tables[name]?.variable ?? defaultOf(name) ?? examples[name];
    const text = Array.isArray(value) ? (name === 'model_env' ? 'OPENAI_API_KEY' : 'micro') : String(value);
    // in .env a # outside of quotes begins a comment
    return `${comment(name)}# ${variableOf(name)}=${text.includes('#') ? `"${text}"` : text}\n`;
  });
  return [head, ...entries].join('\n');
}

function comment(name: SettingName): string {
  const values = allowed(name);
  const computed = computedDefaults[name]?.replaceAll('`', '');
  const facts = [
    ...(values === 'text' ? [] : [`allowed: ${values}`]),
    ...(computed === undefined ? [] : [`default: ${computed}`]),
    ...(trustNeeded(name) === undefined ? [] : [`needs orch trust: ${trustNeeded(name)}`]),
  ];
  return `# ${descriptions[name]}\n${facts.map((fact) => `# (${fact})\n`).join('')}`;
}

function variableOf(name: SettingName): string {
  return `ORCH_${name.toUpperCase()}`;
}

function settingsPage(): string {
  const rows = names.map((name) => {
    const aliases = Object.keys(environmentAliases).filter((alias) => environmentAliases[alias] === name);
    const variables = [variableOf(name), ...aliases].map((variable) => `\`${variable}\``).join(', ');
    const fixed = defaultOf(name);
    const shown = typeof fixed === 'string' || typeof fixed === 'number' ? `\`${fixed}\`` : '';
    return `| \`${name}\` | ${variables} | ${computedDefaults[name] ?? shown} | ${trustNeeded(name) === undefined ? '' : 'trust'} | ${descriptions[name]} |`;
  });
  return [
    '# Settings',
    'Generated by `npm run docs:generated` from the settings schema. Later sources win: defaults, `orch.toml`, `.env`, environment, flags. `orch.example.toml` and `.env.example` list every setting, commented out. An impossible value is an error:',
    '```console\n$ orch run docs/tour/Basics.lean --cpu-target 3    # exit 2\nsetting cpu_target is "3" (--cpu-target), but must be a number above 0 and at most 1\n```',
    'A checkout must not choose its own judge. Settings marked *trust* choose programs, servers or folders, weaken a check, or raise memory, disk and model costs: from `orch.toml` and `.env` they count only after you have typed `orch trust` in that folder, and only until one of its files changes. In CI they never count; set the variable in the job or use a flag. The same holds for the toolchain of a Lake project: until you trust it, the embedded Lean judges. Harmless values (`lean = "embedded"`, anything at or below the default or the number of cores) always count. The other settings count from any checkout: they decide what orch tries and for how long, so limit a run of foreign goals with `--timeout`.',
    ['| setting | variable | default | needs | meaning |', '|---|---|---|---|---|', ...rows].join('\n'),
    '',
  ].join('\n\n');
}
