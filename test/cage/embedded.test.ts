import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/core/verdict.ts';
import { openGate } from '../soundness/run.ts';

/**
 * Code that a preamble and a proof run while they are elaborated. Each tries to reach the host; where nothing stops it, it
 * goes on to a true theorem, so an accepted verdict means that the code ran to its end.
 */
const host = mkdtempSync(path.join(os.tmpdir(), 'orch-cage-'));
const ledger = path.join(host, '.orch/ledger.db');
const secret = 'orch-cage-secret';

interface Attempt {
  readonly what: string;
  /** An `IO Unit`. */
  readonly code: string;
  /** What the verdict says. */
  readonly message: RegExp;
}

const attempts: readonly Attempt[] = [
  {
    what: 'reads /etc/passwd',
    code: 'throw (IO.userError (← IO.FS.readFile "/etc/passwd"))',
    message: /no such file/,
  },
  {
    what: 'reads the ledger',
    code: `throw (IO.userError (← IO.FS.readFile ${JSON.stringify(ledger)}))`,
    message: /no such file/,
  },
  {
    what: 'lists the host’s folders',
    code: `let _ ← System.FilePath.readDir ${JSON.stringify(host)}`,
    message: /no such file/,
  },
  {
    what: 'reads the environment',
    code: 'match (← IO.getEnv "ORCH_CAGE_SECRET") with | some s => throw (IO.userError s) | none => throw (IO.userError "not set")',
    message: /not set/,
  },
  {
    what: 'reads the environment through /proc',
    code: 'throw (IO.userError (← IO.FS.readFile "/proc/self/environ"))',
    message: /no such file/,
  },
  {
    what: 'writes outside scratch',
    code: `IO.FS.writeFile ${JSON.stringify(path.join(host, 'written'))} "x"`,
    message: /no such file/,
  },
  {
    what: 'makes a folder',
    code: `IO.FS.createDir ${JSON.stringify(path.join(host, 'made'))}`,
    message: /no such file/,
  },
  {
    what: 'starts a program',
    code: `let _ ← IO.Process.output { cmd := "/bin/sh", args := #["-c", "touch ${host}/spawned"] }`,
    message: /not implemented|unsupported/,
  },
  {
    what: 'kills its parent',
    code: `let _ ← IO.Process.spawn { cmd := "kill", args := #["-9", "${process.pid}"] }`,
    message: /not implemented|unsupported/,
  },
  {
    what: 'opens a socket',
    // there is no such call in the small image; in the large one it is not implemented
    code: 'let socket ← Std.Internal.UV.TCP.Socket.new; socket.bind (.v4 ⟨⟨#v[127, 0, 0, 1]⟩, 0⟩)',
    message: /./,
  },
  {
    what: 'loads a module, whose loader would evaluate JavaScript',
    // the small image does not know the function
    code: 'IO.FS.writeBinFile "/side.wasm" ⟨#[0, 97, 115, 109, 1, 0, 0, 0]⟩; Lean.loadDynlib "/side.wasm"',
    message: /may not ask its host for _dlopen_js|[Uu]nknown (identifier|constant)/,
  },
  { what: 'exits the process', code: 'let _ ← (IO.Process.exit 0 : IO Unit)', message: /exited with 0/ },
];

const verdicts = new Map<string, Verdict>();
const key = (way: string, what: string): string => `${way} ${what}`;

beforeAll(async () => {
  mkdirSync(path.dirname(ledger));
  writeFileSync(ledger, secret);
  process.env['ORCH_CAGE_SECRET'] = secret;
  // `#eval` runs code on the small image, term elaborators on the large one
  await using small = await openGate('init');
  await using large = await openGate('std');
  const limits = { deadlineMs: 60_000 };
  const statement = 'theorem t : True';
  for (const { what, code } of attempts) {
    const preamble = `#eval (do ${code} : IO Unit)`;
    const byPreamble = await small.gate.check({ preamble, statement, proof: 'trivial' }, limits);
    verdicts.set(key('preamble', what), byPreamble);
    const proof = `by_elab do\n  let _ ← (do ${code} : IO Unit)\n  return Lean.mkConst \`\`True.intro`;
    verdicts.set(key('proof', what), await large.gate.check({ statement, proof }, limits));
  }
}, 900_000);
afterAll(() => rmSync(host, { recursive: true }));

describe.for(['preamble', 'proof'])('a %s', (way) => {
  test.for(attempts)('that $what is refused, and the verdict says why', ({ what, message }) => {
    const verdict = verdicts.get(key(way, what));
    expect(verdict?.verdict).not.toBe('accepted');
    expect(verdict?.message).toMatch(message);
    expect(JSON.stringify(verdict)).not.toContain(secret);
    expect(JSON.stringify(verdict)).not.toContain('root:');
  });
});

test('nothing on the host has changed', () => {
  expect(readdirSync(host)).toEqual(['.orch']);
  expect(readdirSync(path.dirname(ledger))).toEqual(['ledger.db']);
  expect(existsSync('/tmp/orch-was-here')).toBe(false);
});
