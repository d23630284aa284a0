type Environment = Readonly<Record<string, string | undefined>>;

/** How this user invokes orch: as `npm run orch --`, as `npx orch` (npx and other npm scripts), or as `orch`. */
export function invocation(environment: Environment = process.env): string {
  const { npm_lifecycle_event: script = '', npm_package_name: name } = environment;
  if (script === '') return 'orch';
  return script === 'orch' && name === 'orch' ? 'npm run orch --' : 'npx orch';
}

/** A hint with its commands as this user types them: "orch why GOAL" → "npx orch why GOAL". */
export function asTyped(text: string, environment?: Environment): string {
  return text.replaceAll(/(?<=^|[\s`'"(])orch (?=[a-z])/gm, `${invocation(environment)} `);
}
