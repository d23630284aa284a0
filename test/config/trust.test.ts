import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'smol-toml';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aboutSettings, settingNames, type SettingName } from '../../src/config/descriptions.ts';
import { loadSettings } from '../../src/config/load.ts';
import { addTrust, isCi, revokeTrust, trustedFolders, trustFile, trustOf } from '../../src/config/trust.ts';
import { filesNamedIn, fromCheckout } from '../../src/config/checkout.ts';
import { nativeToolchain } from '../../src/lean/toolchain/native.ts';
import { modelNamed } from '../../src/models/choose.ts';
import { temporaryFolder } from '../helpers/folders.ts';

/** A value for every setting that only a user may choose. New settings of that kind must be added here. */
const hostile = {
  lean: './evil.sh',
  lake_build: 'on',
  cache_dir: './cache',
  cache_max: 0.001,
  data: '/etc',
  num_procs: 256,
  ledger: 'postgres://evil.example/ledger',
  model: 'cmd:./evil.sh --plan',
  model_writer: 'cmd:./evil.sh --write',
  model_verifier: 'cmd:./evil.sh --verify',
  model_golfer: 'cmd:./evil.sh --golf',
  model_env: ['ANTHROPIC_API_KEY'],
  encoder: 'openai:http://evil.example/v1#m',
  model_cache: '/tmp/answers',
  model_goal_tokens: 1e9,
  model_goal_seconds: 1e9,
  model_price_in: 0,
  model_price_out: 0,
  copilot_url: 'http://evil.example',
  copilot_model: 'expensive',
  editor: 'evil:{file}',
  log_file: '/tmp/log',
  second_kernel: 'sample',
} as const satisfies Partial<Record<SettingName, unknown>>;
const risky = Object.entries(hostile) as [keyof typeof hostile, unknown][];

/** Quoted, because # begins a comment. */
const asText = (value: unknown): string => `"${Array.isArray(value) ? value.join(',') : String(value)}"`;

/** A checkout with these settings, and a user who has a home elsewhere. */
function checkout(given: Partial<Record<SettingName, unknown>>, file: '.env' | 'orch.toml' = 'orch.toml') {
  const home = temporaryFolder();
  const folder = path.join(temporaryFolder(), 'checkout');
  mkdirSync(folder);
  const write = (written: Partial<Record<SettingName, unknown>>): void =>
    writeFileSync(
      path.join(folder, file),
      file === 'orch.toml'
        ? stringify(written)
        : Object.entries(written)
            .map(([name, value]) => `ORCH_${name.toUpperCase()}=${asText(value)}\n`)
            .join(''),
    );
  write(given);
  const environment: Record<string, string> = { XDG_CONFIG_HOME: home };
  const load = (variables: Record<string, string> = {}) => {
    const notices: string[] = [];
    const settings = loadSettings({
      folder,
      environment: { ...environment, ...variables },
      onIgnored: (notice) => void notices.push(notice),
    });
    return { settings, notices };
  };
  const trust = (): readonly string[] =>
    addTrust(folder, filesNamedIn(fromCheckout(folder), folder), new Date(0), environment);
  return { folder, environment, write, load, trust };
}

const plain = loadSettings({ folder: '/nowhere', environment: {} });

describe('settings from a checkout', () => {
  test('every setting declares whether a checkout may choose it, and each risky one is tested here', () => {
    const guarded = settingNames.filter((name) => aboutSettings[name].risk !== 'none');
    expect(Object.keys(hostile).sort()).toEqual([...guarded].sort());
  });

  describe.each(['orch.toml', '.env'] as const)('in %s', (file) => {
    test.each(risky)('%s applies only in a trusted folder, and never in CI', (name, value) => {
      const { load, trust } = checkout({ [name]: value }, file);
      const before = load();
      expect(before.settings[name]).toEqual(plain[name]);
      expect(before.notices).toEqual([
        expect.stringMatching(new RegExp(`^ignored ${name} .*is not trusted`)),
      ]);
      trust();
      expect(load().settings[name]).toEqual(value);
      expect(load().notices).toEqual([]);
      for (const ci of [{ CI: 'true' }, { CI: '1' }, { GITHUB_ACTIONS: 'true' }]) {
        const { settings, notices } = load(ci);
        expect(settings[name]).toEqual(plain[name]);
        expect(notices).toEqual([expect.stringContaining(`Set ORCH_${name.toUpperCase()} in the job`)]);
      }
    });

    test('harmless settings apply anywhere, also in CI', () => {
      const harmless = {
        lean: 'embedded',
        lake_build: 'off',
        num_procs: 1,
        ledger: '.orch/ledger.db',
        model_goal_tokens: 100,
        profile: 2,
        market: 'off',
      };
      const { load } = checkout(harmless, file);
      for (const variables of [{}, { CI: 'true' }])
        expect(load(variables)).toMatchObject({ settings: harmless, notices: [] });
    });
  });

  test('flags and the environment override the checkout without a notice about it', () => {
    const { load } = checkout({ lean: './evil.sh' });
    expect(load({ ORCH_LEAN: '/usr/bin/lean', CI: 'true' })).toMatchObject({
      settings: { lean: '/usr/bin/lean' },
      notices: [],
    });
  });

  test('a changed, new or newly named file ends the trust, and the notice names it', () => {
    const { folder, load, trust, write } = checkout({ lean: './lean.sh' });
    const script = path.join(folder, 'lean.sh');
    writeFileSync(script, 'honest');
    expect(trust()).toEqual(['orch.toml', 'lean.sh']);
    expect(load().settings.lean).toBe('./lean.sh');

    writeFileSync(script, 'evil');
    expect(load().settings.lean).toBeUndefined();
    expect(load().notices).toEqual([
      expect.stringMatching(/lean\.sh changed since you trusted .*\(1970-01-01\)[^]*type: orch trust \//),
    ]);
    trust();
    write({ lean: './lean.sh', model: 'cmd:./lean.sh' });
    expect(load().notices).toEqual([expect.stringMatching(/: orch\.toml changed since/)]);
    trust();
    writeFileSync(path.join(folder, '.env'), '');
    expect(load().notices).toEqual([expect.stringMatching(/: \.env changed since/)]);
    trust();
    expect(load().notices).toEqual([]);
    rmSync(script);
    expect(load().settings.lean).toBeUndefined();
  });

  test('lean = "lake" in a trusted file does not extend to untrusted Lake files', () => {
    const { load, trust } = checkout({ lean: 'lake', model: 'cmd:cat' });
    trust();
    expect(load().settings).toMatchObject({ model: 'cmd:cat' });
    expect(load().settings.lean).toBeUndefined();
  });

  test('a file that a setting names and that appears later is not trusted', () => {
    const { folder, load, trust } = checkout({ model: 'cmd:python3 tools/model.py' });
    trust();
    mkdirSync(path.join(folder, 'tools'));
    writeFileSync(path.join(folder, 'tools', 'model.py'), '');
    expect(load().settings.model).toBeUndefined();
  });

  test('files inside arguments count; a ledger or a log, which every run changes, does not', () => {
    const { folder, load, trust } = checkout({
      model: `cmd:node --require=./a.js,tools/b.js -c "exec ./c.sh" m:d.js`,
      ledger: 'runs.db',
      log_file: 'orch.log',
    });
    const named = ['a.js', 'tools/b.js', 'c.sh', 'd.js'];
    mkdirSync(path.join(folder, 'tools'));
    for (const name of [...named, 'runs.db', 'orch.log']) writeFileSync(path.join(folder, name), '');
    expect(trust().toSorted()).toEqual(['orch.toml', ...named].toSorted());
    writeFileSync(path.join(folder, 'runs.db'), 'changed');
    expect(load().notices).toEqual([]);
    for (const name of named) {
      writeFileSync(path.join(folder, name), 'evil');
      expect(load().notices).toEqual([expect.stringContaining(`${name} changed since`)]);
      trust();
    }
  });

  test('a program that a pull replaces while orch runs is not started again', async () => {
    const { folder, load, trust } = checkout({ model: 'cmd:/bin/sh model.sh' });
    const script = path.join(folder, 'model.sh');
    writeFileSync(script, 'echo honest');
    trust();
    expect(load().settings.model).toBe('cmd:/bin/sh model.sh');
    const here = process.cwd();
    onTestFinished(() => process.chdir(here));
    process.chdir(folder);
    const model = modelNamed('cmd:/bin/sh model.sh', process.env);
    const request = { prompt: '', samples: 1, maxTokens: 1, temperature: 0, seed: 1 };
    expect(await model.generate(request)).toMatchObject({ value: { samples: [{ text: 'honest' }] } });
    writeFileSync(script, 'echo evil');
    expect(await model.generate(request)).toMatchObject({
      error: { message: expect.stringMatching(/model\.sh in .* changed since orch started/) as string },
    });
    const lean = { kind: 'configured', command: '/bin/true', prefix: [], folder } as const;
    const options = { cacheFolder: temporaryFolder(), imports: [], environment: process.env };
    await expect(nativeToolchain(lean, options)).rejects.toThrow(/model\.sh .* changed since orch started/);
  });

  test('trust belongs to a path: a copy or another link is not trusted, a link to the folder is', () => {
    const one = checkout({ lean: './evil.sh' });
    one.trust();
    const other = checkout({ lean: './evil.sh' });
    expect(trustOf(other.folder, 'settings', one.environment)).toMatchObject({ kind: 'unknown' });
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(one.folder, link);
    expect(trustOf(link, 'settings', one.environment)).toEqual({ kind: 'trusted' });
  });

  test('the trust list is private to the user; a damaged or shared one is an error', () => {
    const { folder, environment, load, trust } = checkout({ lean: './evil.sh' });
    trust();
    const file = trustFile(environment);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(trustedFolders(environment)).toMatchObject([{ folder, changed: [] }]);
    chmodSync(file, 0o666);
    expect(() => load()).toThrow(/others may write it/);
    chmodSync(file, 0o600);
    writeFileSync(file, '{"version":1,"folders":[]}');
    expect(() => load()).toThrow(/is damaged/);
    rmSync(file);
    trust();
    expect(revokeTrust(folder, environment)).toBe(true);
    expect(revokeTrust(folder, environment)).toBe(false);
    expect(load().settings.lean).toBeUndefined();
    expect(trustFile({ XDG_CONFIG_HOME: 'checkout/.config' })).toMatch(/^\//);
  });

  test('settings recorded in a ledger have no more rights than a checkout', () => {
    const { folder, environment } = checkout({});
    const notices: string[] = [];
    const recorded = { ...hostile, max_light: 3, num_procs: 1, strategies: ['micro'], unheard_of: 1 };
    const settings = loadSettings({
      folder,
      environment: { ...environment, ORCH_MODEL: hostile.model },
      recorded,
      flags: { max_light: 5 },
      onIgnored: (notice) => void notices.push(notice),
    });
    expect(settings).toEqual({
      ...plain,
      max_light: 5,
      num_procs: 1,
      strategies: ['micro'],
      model: hostile.model,
    });
    expect(notices).toEqual([
      expect.stringMatching(/^ignored lean, lake_build, (?!.*\bmodel\b).* of the earlier run/),
    ]);
  });

  test('settings files must be small plain files, and errors quote none of their lines', () => {
    const { folder, load } = checkout({});
    const file = path.join(folder, 'orch.toml');
    writeFileSync(file, 'secret = = "hunter2"\n');
    expect(() => load()).toThrow(/line 1/);
    expect(() => load()).not.toThrow(/hunter2/);
    writeFileSync(file, '#'.repeat((1 << 20) + 1));
    expect(() => load()).toThrow(/bytes long/);
    rmSync(file);
    symlinkSync('/dev/zero', file);
    expect(() => load()).toThrow(/not a plain file/);
  });

  test.each([
    ['true', true],
    ['1', true],
    ['TRUE', true],
    ['false', false],
    ['0', false],
    ['', false],
    [undefined, false],
  ])('CI=%s: %s', (value, expected) => {
    expect(isCi({ CI: value })).toBe(expected);
  });

  /** Variables set by these services; none of them sets CI. */
  test.each([
    ['Azure Pipelines', { TF_BUILD: 'True' }],
    ['Jenkins', { JENKINS_URL: 'https://ci.example/' }],
    ['TeamCity', { TEAMCITY_VERSION: '2026.1' }],
    ['AWS CodeBuild', { CODEBUILD_BUILD_ID: 'orch:1' }],
  ])('%s means CI: a checkout trusted on the machine gets no risky settings', (_, variables) => {
    const { load, trust } = checkout({ lean: './evil.sh' });
    trust();
    expect(load().settings.lean).toBe('./evil.sh');
    expect(load({ ...variables, CI: 'false' }).settings.lean).toBeUndefined();
  });
});
