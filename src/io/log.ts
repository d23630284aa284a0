import { openSync, writeSync } from 'node:fs';
import path from 'node:path';
import pino, { type LevelWithSilent, type Logger } from 'pino';
import { makeFolders } from '../core/folders.ts';
import { UserError, messageOf } from '../core/errors.ts';
import { secretsOf, withoutSecrets } from '../core/secrets.ts';
import { forPeople } from '../shared/for-people.ts';

export type Log = Logger;

export interface LogOptions {
  readonly level: LevelWithSilent;
  /** JSON lines are appended here; without it, each entry is a line of text for `talk`. */
  readonly file?: string | undefined;
  /** Receives whole lines: stderr, or the reporter that owns it. Never stdout. */
  readonly talk: (text: string) => void;
  /** Redacts the values of variables whose names contain key, token, secret or password. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const hidden = '[hidden]';
const secretFields = ['api_key', 'apiKey', 'token', 'secret', 'password', 'authorization', 'cookie'];

/** Written unbuffered, so entries survive a crash. */
export function openLog({ level, file, talk, environment }: LogOptions): Log {
  const secrets = secretsOf(environment);
  const sink = file === undefined ? textSink(talk) : fileSink(file);
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: hidden },
    },
    {
      write: (line: string) => sink(withoutSecrets(line, secrets)),
    },
  );
}

function fileSink(file: string): (line: string) => void {
  const descriptor = openForAppending(file);
  let broken = false;
  return (line) => {
    if (broken) return;
    try {
      writeSync(descriptor, line);
    } catch (error) {
      // a full disk must not end a run just because of the log
      broken = true;
      process.emitWarning(`logging stopped: ${file}: ${messageOf(error)}`);
    }
  };
}

function openForAppending(file: string): number {
  try {
    makeFolders(path.dirname(file));
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw new UserError(
      'log-file',
      `cannot write the log file ${file}: ${messageOf(error)}`,
      'Choose another with --log-file or ORCH_LOG_FILE.',
      { cause: error },
    );
  }
}

/** `12:00:01 warn  text  field=value` */
function textSink(talk: (text: string) => void): (line: string) => void {
  return (line) => {
    const { level, time, pid: _, msg = '', ...fields } = JSON.parse(line) as Record<string, unknown>;
    const facts = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const text = [String(time).slice(11, 19), String(level).padEnd(5), msg, ...facts].join(' ');
    talk(`${forPeople(text)}\n`);
  };
}
