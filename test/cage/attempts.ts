import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../helpers/lean.ts';
import { embeddedLean } from '../helpers/toolchain.ts';

/** Code that a text runs while it is elaborated. Each attempt tries to reach the host; a successful one gives no Lean error. */
const host = mkdtempSync(path.join(os.tmpdir(), 'orch-cage-'));
const ledger = path.join(host, '.orch/ledger.db');
const secret = 'orch-cage-secret';

interface Attempt {
  readonly what: string;
  /** An `IO Unit`. */
  readonly code: string;
  /** Lean's message. */
  readonly message: RegExp;
  /** It kills the worker. */
  readonly ends?: boolean;
  /** It calls functions that the small image lacks. */
  readonly largeOnly?: boolean;
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
    what: 'fills the memory with files',
    code: `let part := String.join (List.replicate (1 <<< 15) "abcdefghijklmnopqrstuvwxyz012345"); for i in [0:1000] do IO.FS.writeFile s!"part{i}" part`,
    message: /no space|resource exhausted/i,
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
    // in the large image it is not implemented
    code: 'let socket ← Std.Internal.UV.TCP.Socket.new; socket.bind (.v4 ⟨⟨#v[127, 0, 0, 1]⟩, 0⟩)',
    message: /./,
    ends: true,
    largeOnly: true,
  },
  {
    what: 'loads a module, whose loader would evaluate JavaScript',
    code: 'IO.FS.writeBinFile "/side.wasm" ⟨#[0, 97, 115, 109, 1, 0, 0, 0]⟩; Lean.loadDynlib "/side.wasm"',
    message: /may not ask its host for _dlopen_js|[Uu]nknown (identifier|constant)/,
    ends: true,
    largeOnly: true,
  },
  {
    what: 'exits the process',
    code: 'let _ ← (IO.Process.exit 0 : IO Unit)',
    message: /^crash: .*exited with 0/,
    ends: true,
  },
];

/** How code gets to run: `#eval` on the small image, a term elaborator on the large one. */
const ways = {
  'an #eval': { image: 'init', text: (code: string) => `#eval (do ${code} : IO Unit)` },
  'a proof': {
    image: 'std',
    text: (code: string, index: number) =>
      `theorem t${index} : True := by_elab do\n  let _ ← (do ${code} : IO Unit)\n  return Lean.mkConst \`\`True.intro`,
  },
} as const;

type Way = keyof typeof ways;
const namesOfWays = Object.keys(ways) as Way[];
const key = (way: Way, what: string): string => `${way} ${what}`;

/** Each attempt on the image that supports it; the second tier runs all of them on both. */
export const atHome = (way: Way, { largeOnly = false }: Attempt): boolean =>
  largeOnly === (way === 'a proof');

export function testAttempts(isChosen: (way: Way, attempt: Attempt) => boolean): void {
  /** Lean's message for each attempt, or how its worker ended. */
  const answers = new Map<string, string>();

  beforeAll(async () => {
    mkdirSync(path.dirname(ledger));
    writeFileSync(ledger, secret);
    process.env['ORCH_CAGE_SECRET'] = secret;
    for (const way of namesOfWays) {
      const chosen = attempts.filter((attempt) => isChosen(way, attempt));
      const said = await answersOf(way, chosen);
      for (const [index, { what }] of chosen.entries()) answers.set(key(way, what), said[index] ?? '');
    }
  });
  afterAll(() => rmSync(host, { recursive: true }));

  describe.for(namesOfWays)('%s', (way) => {
    const chosen = attempts.filter((attempt) => isChosen(way, attempt));
    test.for(chosen)('refuses that $what, and Lean reports why', ({ what, message }) => {
      const answer = answers.get(key(way, what)) ?? '';
      expect(answer).toMatch(message);
      expect(answer).not.toContain(secret);
      expect(answer).not.toContain('root:');
    });
  });

  test('nothing on the host has changed', () => {
    expect(readdirSync(host)).toEqual(['.orch']);
    expect(readdirSync(path.dirname(ledger))).toEqual(['ledger.db']);
    expect(existsSync('/tmp/orch-was-here')).toBe(false);
  });
}

async function answersOf(way: Way, chosen: readonly Attempt[]): Promise<string[]> {
  const { image, text } = ways[way];
  await using pool = await openPool({}, await embeddedLean(image));
  const answers = new Map<Attempt, string>();
  // attempts that Lean survives share a text, the others have separate ones
  const survived = chosen.filter(({ ends }) => ends !== true);
  const ending = chosen.filter(({ ends }) => ends).map((one) => [one]);
  for (const some of survived.length > 0 ? [survived, ...ending] : ending) {
    const commands = some.map(({ code }, index) => text(code, index));
    const reply = await pool.use(
      async (lease) =>
        await lease.request(
          'load',
          { session: lease.rootSession, text: commands.join('\n'), keep_going: true },
          { deadlineMs: 60_000 },
        ),
    );
    let line = 1;
    for (const [index, attempt] of some.entries()) {
      const next = line + (commands[index] ?? '').split('\n').length;
      const said = reply.messages
        .filter(({ start, severity }) => severity === 'error' && start[0] >= line && start[0] < next)
        .map(({ text: words }) => words);
      answers.set(attempt, reply.ok ? said.join('\n') : `${reply.kind}: ${reply.message}`);
      line = next;
    }
  }
  return chosen.map((attempt) => answers.get(attempt) ?? '');
}
