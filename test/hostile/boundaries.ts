/**
 * What crosses a trust boundary or fails, with the tests that show what happens then: test files and the beginning of
 * a test's name. `boundaries.test.ts` checks that each exists; docs/ATTACKS.md shows the list.
 */
export const boundaries: readonly Boundary[] = [
  {
    what: 'A repository does not choose its judge, programs, servers or folders',
    tests: {
      'test/config/trust.test.ts': 'every setting declares whether a checkout may choose it',
      'test/hostile/checkout.test.ts': 'its checker in %s is not run, locally or in CI',
      'test/hostile/strange.long.test.ts': '%s: nothing in it runs, and nothing outside is shown or changed',
    },
  },
  {
    what: 'Native programs, version probes included, run in the sandbox',
    tests: {
      'test/cage/native.test.ts': 'the sandbox of a native Lean blocks every attempt',
      'test/lean/toolchain/native.test.ts': 'is asked for its version under worker limits',
    },
  },
  {
    what: 'Code in a proof or a request cannot use up the machine',
    tests: {
      'test/lean/greedy-worker.test.ts': 'starts processes without end',
      'test/cage/descriptors.test.ts': 'writes of Lean to disk stop at a limit',
      'test/server/mcp/budget.test.ts': 'running calls count',
      'test/server/mcp/mcp.test.ts': 'a line that is too long gets an error reply',
      'test/server/serve/bombs.long.test.ts': 'forty requests of 58 MB at once',
    },
  },
  {
    what: 'JavaScript that has escaped from WebAssembly meets a second wall',
    tests: {
      'test/cage/native.test.ts': 'a worker of the embedded Lean: every way out, tried with its own flags',
      'test/cage/permission.test.ts': 'every worker starts in the sandbox',
    },
  },
  {
    what: 'Remote workers are not trusted',
    tests: {
      'test/store/postgres/remote.ts': 'the run survives any content of the answers',
      'test/store/postgres/queue.ts': 'the role in deploy/worker-role.sql can take jobs and store answers',
    },
  },
  {
    what: 'Killed runs resume, and commands wait for a restarting server',
    tests: {
      'test/remote/command-line.long.test.ts': 'a command that starts while the server restarts waits for it',
      'test/app/run-id.test.ts': 'the id of a run begins with its time and ends with 64 random bits',
    },
  },
  {
    what: 'Neither a power cut, a failing disk nor a kill undoes what was reported',
    tests: {
      'test/store/sqlite/power-loss.long.test.ts': 'a power cut after every step of the writer',
      'test/store/sqlite/power-loss.test.ts': 'a failed write or sync ends the run',
      'test/store/sqlite/kills.long.test.ts': 'nothing recorded is lost when a writer is killed',
      'test/remote/chaos.long.test.ts': 'a run on several machines with failures',
    },
  },
  {
    what: 'Ledgers of earlier versions open, verify and resume, on every supported database',
    tests: {
      'test/store/old-versions.test.ts': 'in SQLite opens and passes verification',
      'test/remote/command-line.long.test.ts': 'a killed run of 0.1.0 is resumed',
      'test/store/postgres/versions.long.test.ts': 'PostgreSQL %i passes the suites of the ledger',
    },
  },
  {
    what: 'Keys and passwords are shown and stored nowhere',
    tests: {
      'test/e2e/secrets.test.ts': 'a key that a server echoes and a password in a URL appear nowhere',
      'test/core/secrets.test.ts': 'a new database and the files next to it are private',
      'test/models/models.test.ts': 'cuts off an endless response',
    },
  },
  {
    what: 'The package lists what it contains',
    tests: { 'test/e2e/publish.long.test.ts': 'sbom.cdx.json' },
  },
];

interface Boundary {
  readonly what: string;
  readonly tests: Readonly<Record<string, string>>;
}

/** The list as a section of docs/ATTACKS.md. */
export function boundarySection(): string {
  const rows = boundaries.map(
    ({ what, tests }) =>
      `| ${what} | ${Object.keys(tests)
        .map((file) => `\`${file}\``)
        .join(', ')} |`,
  );
  return [
    '## Attacks on the machine, and faults',
    '',
    '| what holds | tests |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}
