import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runScript, type Action, type Place, type StepAnswer } from './harness.ts';

const done: StepAnswer = { ok: true, output: '' };

/** Stubs of actions, with the effects that a workflow can see. docs/WORKFLOW.md lists these names. */
export const actions: Readonly<Record<string, Action>> = {
  'actions/checkout': ({ ref }, { remote, workspace, github }) => {
    const wanted = ref ?? String(github['head_ref'] || github['ref_name']);
    execFileSync('git', ['clone', '--quiet', remote, workspace]);
    execFileSync('git', ['checkout', '--quiet', wanted], { cwd: workspace });
    return done;
  },
  'actions/setup-node': () => done,
  'actions/setup-python': () => done,
  'actions/create-github-app-token': () => ({ ...done, outputs: { token: 'app-token' } }),
  'leanprover/lean-action': async (inputs, place) => {
    const folder = path.join(place.workspace, inputs['lake-package-directory'] ?? '.');
    const script =
      'lake build\nif lake check-test; then lake test; fi\nif lake check-lint; then lake lint; fi\n';
    return await runScript(script, folder, {}, place);
  },
  'actions/upload-artifact': (inputs, place) => upload(inputs['name'] ?? '', inputs, place),
  'actions/upload-pages-artifact': (inputs, place) => upload('github-pages', inputs, place),
  'actions/deploy-pages': (_, { folder }) =>
    existsSync(path.join(artifactsIn(folder), 'github-pages/index.html'))
      ? { ...done, outputs: { page_url: 'https://example.invalid/' } }
      : { ok: false, output: 'there is nothing to deploy' },
};

function upload(
  name: string,
  inputs: Readonly<Record<string, string>>,
  { folder, workspace }: Place,
): StepAnswer {
  const from = path.join(workspace, inputs['path'] ?? '');
  const isEmpty = !existsSync(from) || readdirSync(from).length === 0;
  if (isEmpty)
    return {
      ok: inputs['if-no-files-found'] !== 'error',
      output: `no files were found at ${inputs['path']}`,
    };
  cpSync(from, path.join(artifactsIn(folder), name), { recursive: true });
  return done;
}

/** Artifacts of all runs below one folder: later runs download what earlier ones uploaded. */
export const artifactsIn = (folder: string): string => path.join(path.dirname(folder), 'artifacts');

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Programs that need TeX, pip, root rights, GitHub or a native Lean. The embedded Lean is behind `lake`. */
export function writePrograms(folder: string, artifacts: string, orch: string): void {
  mkdirSync(folder, { recursive: true });
  const programs: Readonly<Record<string, string>> = {
    sudo: 'test "$1" = apt-get',
    pip: 'test "$1" = install',
    latexmk: 'test -f print.tex && mkdir -p ../print && echo %PDF > ../print/print.pdf',
    plastex: 'test -f plastex.cfg && test "$3" = web.tex && mkdir -p ../web && echo page > ../web/index.html',
    gh: `if [ "$1" = pr ]; then mkdir -p ${quote(artifacts)}/comment && cat > ${quote(artifacts)}/comment/comment.md; exit; fi
shift 2; while [ $# -gt 0 ]; do case "$1" in --name) name="$2"; shift;; --dir) dir="$2"; shift;; esac; shift; done
test -d ${quote(artifacts)}/"$name" || { echo "no artifact matches $name" >&2; exit 1; }
mkdir -p "$dir" && cp -R ${quote(artifacts)}/"$name"/. "$dir"`,
    // in a package that builds documentation it writes pages; elsewhere it compiles the modules for real
    lake: `case "$1" in
env) shift; exec "$@";;
update) test -f lakefile.toml || test -f lakefile.lean;;
build) case "$2" in *:docs) grep -q doc-gen4 lakefile.toml && mkdir -p .lake/build/doc && echo docs > .lake/build/doc/index.html;; *) ORCH_LEAN=embedded exec ${quote(orch)} lean build;; esac;;
check-test|check-lint) grep -q "\${1#check-}Driver" lakefile.toml;;
exe) test "$2" = cache;;
*) exit 1;;
esac`,
  };
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
}
