import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { descriptions, type SettingName } from '../src/config/descriptions.ts';
import { computedDefaults, environmentAliases, SettingsFile } from '../src/config/schema.ts';
import { allowed } from '../src/config/text.ts';

/** Everything that is written about settings, made from their schema: file name → what it should hold. */
export function settingsDocuments(root: string): Record<string, string> {
  return {
    'orch.schema.json': `${JSON.stringify(jsonSchema(), null, 2)}\n`,
    'orch.example.toml': exampleToml(),
    '.env.example': exampleEnvironment(),
    'README.md': readmeWithTable(readFileSync(path.join(root, 'README.md'), 'utf8')),
  };
}

const names = Object.keys(descriptions) as SettingName[];

function jsonSchema(): object {
  const schema = z.toJSONSchema(SettingsFile, { io: 'input', target: 'draft-7' });
  return { ...schema, title: 'orch.toml', description: 'Settings of orch' };
}

function defaultOf(name: SettingName): unknown {
  const { properties } = z.toJSONSchema(SettingsFile, { io: 'input' });
  const property = properties?.[name];
  return typeof property === 'object' ? property.default : undefined;
}

/** What an example file shows for a setting that has no fixed default. */
const examples: Partial<Record<SettingName, unknown>> = {
  lean: 'embedded',
  cache_dir: '/tmp/orch-cache',
  data: '../data',
  max_heavy: 2,
  num_procs: 2,
  log_file: '.orch/orch.log',
  model: 'openai:http://127.0.0.1:8000/v1#qwen',
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

function exampleToml(): string {
  const head =
    '#:schema ./orch.schema.json\n# Copy to orch.toml, take the # away from what you want to change.\n';
  // a table ends only where another begins, so it comes last
  const entries = names
    .filter((name) => name !== 'features')
    .map((name) => {
      const value = JSON.stringify(defaultOf(name) ?? examples[name]);
      return `${comment(name)}# ${name} = ${value}\n`;
    });
  return [head, ...entries, `${comment('features')}# [features]\n# copilot = "off"\n`].join('\n');
}

function exampleEnvironment(): string {
  const head =
    '# Copy to .env, take the # away from what you want to change. Variables of the environment win over this file.\n';
  const entries = names.map((name) => {
    const value = name === 'features' ? 'copilot:off,reprover:off' : (defaultOf(name) ?? examples[name]);
    return `${comment(name)}# ${variableOf(name)}=${Array.isArray(value) ? 'micro' : String(value)}\n`;
  });
  return [head, ...entries].join('\n');
}

function comment(name: SettingName): string {
  const values = allowed(name);
  const computed = computedDefaults[name]?.replaceAll('`', '');
  const facts = [
    ...(values === 'text' ? [] : [`allowed: ${values}`]),
    ...(computed === undefined ? [] : [`default: ${computed}`]),
  ];
  return `# ${descriptions[name]}\n${facts.map((fact) => `# (${fact})\n`).join('')}`;
}

function variableOf(name: SettingName): string {
  return `ORCH_${name.toUpperCase()}`;
}

function readmeWithTable(readme: string): string {
  const rows = names.map((name) => {
    const aliases = Object.keys(environmentAliases).filter((alias) => environmentAliases[alias] === name);
    const variables = [variableOf(name), ...aliases].map((variable) => `\`${variable}\``).join(', ');
    const fixed = defaultOf(name);
    const shown = typeof fixed === 'string' || typeof fixed === 'number' ? `\`${fixed}\`` : '';
    return `| \`${name}\` | ${variables} | ${computedDefaults[name] ?? shown} | ${descriptions[name]} |`;
  });
  const table = ['| setting | variable | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
  const [before, , after] = readme.split(/<!-- (?:end of )?settings -->\n/);
  if (before === undefined || after === undefined)
    throw new Error('README.md has lost its lines <!-- settings --> and <!-- end of settings -->');
  return `${before}<!-- settings -->\n${table}\n<!-- end of settings -->\n${after}`;
}
