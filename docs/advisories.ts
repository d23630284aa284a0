import { advisories, type Advisory } from '../src/lean/gate/advisories.ts';

/** docs/kernel-advisories.md, from the list in the source. */
export function advisoriesPage(): string {
  return `# Kernel advisories

This page is generated from \`src/lean/gate/advisories.ts\`; edit that file and run \`npm run docs:generated\`.

Lean's kernel has had soundness bugs. The judge checks what they would let through, on every Lean, before it accepts a proof: the
stage \`advisories\` of [SOUNDNESS.md](SOUNDNESS.md). A verdict lists the bugs of its Lean that nothing closes in \`advisories\`;
\`orch check\` prints them, and \`orch doctor\` shows them for the Lean in use. Adding an entry changes the judge's version: proofs in a
ledger are then unchecked until \`orch ledger audit\` has judged them again.

| lean4# | what is wrong | affected | how it is closed | shown by |
|---|---|---|---|---|
${advisories.map(row).join('\n')}
`;
}

function row({ number, what, since, fixedIn, closed, openOn, test }: Advisory): string {
  const affected = `${since === undefined ? 'before' : `${since} to before`} ${fixedIn}`;
  const how = closed === undefined ? '**Open.**' : closed;
  const native = openOn === 'native' ? ' **Open on a native Lean.**' : '';
  return `| [${number}](https://github.com/leanprover/lean4/issues/${number}) | ${what} | ${affected} | ${how}${native} | ${test ?? ''} |`;
}
