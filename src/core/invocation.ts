type Environment = Readonly<Record<string, string | undefined>>;

/** What stands before a command where orch was started like this: by npm's `run orch`, by npx or another script, or by itself. */
export function invocation(environment: Environment = process.env): string {
  const { npm_lifecycle_event: script = '', npm_package_name: name } = environment;
  if (script === '') return 'orch';
  return script === 'orch' && name === 'orch' ? 'npm run orch --' : 'npx orch';
}

/** A hint with its commands as this user can type them: "orch why GOAL" → "npx orch why GOAL". */
export function asTyped(text: string, environment?: Environment): string {
  return text.replaceAll(/(?<=^|[\s`'"(])orch (?=[a-z])/gm, `${invocation(environment)} `);
}
