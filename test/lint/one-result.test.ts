import { RuleTester } from 'oxlint/plugins-dev';
import path from 'node:path';
import { describe, it } from 'vitest';
import { oneResult } from '../../lint/one-result.ts';

RuleTester.describe = describe;
RuleTester.it = it;

const inSource = { filename: 'src/io/git.ts' };
const cwd = path.resolve(import.meta.dirname, '../..');
const tester = new RuleTester({ cwd, languageOptions: { parserOptions: { lang: 'ts' } } });

tester.run('one-result', oneResult, {
  valid: [
    { ...inSource, code: 'async function read(): Promise<Result<string, Failure>> { return await run(); }' },
    { ...inSource, code: 'function find(): Place | undefined { return known.get(1); }' },
    { ...inSource, code: "if ('goal' in event) count(event);" },
    { ...inSource, code: "type Kind = 'failed' | 'cancelled';" },
    { ...inSource, code: 'const take = (value: Name | string): number => 1;' },
    { filename: 'src/lean/base/protocol.ts', code: 'type Body = Answer | Failure;' },
    { filename: 'test/io/git.test.ts', code: "if ('ok' in answer) throw new Error();" },
  ],
  invalid: [
    { ...inSource, code: "if ('ok' in answer) throw new Error();", errors: 1 },
    { ...inSource, code: "const text = 'failure' in made ? '' : made.text;", errors: 1 },
    { ...inSource, code: 'type Read = { readonly ok: true; readonly text: string } | No;', errors: 1 },
    {
      ...inSource,
      code: 'async function read(): Promise<Goals | Failure> { return await run(); }',
      errors: 1,
    },
    {
      ...inSource,
      code: 'async function read(): Promise<Goals | string> { return await run(); }',
      errors: 1,
    },
    { ...inSource, code: 'interface Reader { read(): readonly Goal[] | string }', errors: 1 },
  ],
});
