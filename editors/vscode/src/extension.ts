import { spawn, type ChildProcess } from 'node:child_process';
import * as vscode from 'vscode';
import type { OpenGoals, Outline, Premises, Proved, Submitted, Verified, Why } from './answers.ts';
import { OrchClient } from './orch-client.ts';

/** The cursor's file and line, as orch counts, and the server of its folder. */
interface Here {
  readonly document: vscode.TextDocument;
  readonly place: { readonly file_path: string; readonly line: number };
  readonly client: OrchClient;
}

/** One orch per workspace folder, started at the first command. */
const clients = new Map<string, Promise<OrchClient>>();
let dashboard: ChildProcess | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('orch');
  const diagnostics = vscode.languages.createDiagnosticCollection('orch');
  context.subscriptions.push(
    output,
    diagnostics,
    command('orch.proveSorry', async () => await proveSorry(await here(output), output)),
    command('orch.whyNot', async () => await whyNot(await here(output), output)),
    command('orch.suggestPremises', async () => await suggestPremises(await here(output))),
    command('orch.check', async () => await check(await here(output), diagnostics)),
    command('orch.openDashboard', async () => await openDashboard(output)),
    // the checked text is gone
    vscode.workspace.onDidChangeTextDocument(({ document }) => diagnostics.delete(document.uri)),
  );
}

/** A command whose errors the user sees. */
function command(name: string, run: () => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(name, async () => {
    try {
      await run();
    } catch (error) {
      await vscode.window.showErrorMessage(`orch: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

export async function deactivate(): Promise<void> {
  dashboard?.kill();
  const open = [...clients.values()];
  clients.clear();
  await Promise.all(open.map(async (client) => await (await client).close()));
}

async function proveSorry({ document, place, client }: Here, output: vscode.OutputChannel): Promise<void> {
  const cpu_seconds = vscode.workspace.getConfiguration('orch').get<number>('cpuSeconds', 30);
  const found = (await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: 'orch: searching for a proof',
      cancellable: true,
    },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return await client.call(
        'lean_prove',
        { ...place, cpu_seconds },
        { signal: abort.signal, onProgress: (message) => progress.report({ message }) },
      );
    },
  )) as Proved;
  if (!found.solved || !found.proof) {
    const answer = await vscode.window.showWarningMessage(
      `orch found no proof: ${found.reason ?? 'limit reached'}`,
      'Why not?',
    );
    if (answer === 'Why not?') await whyNot({ document, place, client }, output);
    return;
  }
  // the user may have gone on typing; orch judges and writes the file on disk
  await document.save();
  const { written, why } = (await client.call('lean_submit', { ...place, proof: found.proof })) as Submitted;
  if (written)
    await vscode.window.showInformationMessage(`orch: proved by ${found.proof.replace(/^by\s+/, '')}`);
  else await vscode.window.showWarningMessage(`orch found a proof, but did not write it: ${why ?? ''}`);
}

async function whyNot({ place, client }: Here, output: vscode.OutputChannel): Promise<void> {
  const { goals } = (await client.call('lean_goals', { file_path: place.file_path })) as OpenGoals;
  const goal = goals.find(({ line }) => line === place.line);
  if (goal === undefined) throw new Error('there is no open goal in this line');
  const { status, attempt_rows = [] } = (await client.call('orch_why', { goal: goal.id })) as Why;
  output.clear();
  output.appendLine(`${goal.id}: ${status ?? 'not tried yet'}`);
  for (const { arm, outcome, error } of attempt_rows)
    output.appendLine(`  ${arm}  ${outcome ?? 'running'}${error ? `  ${error.split('\n', 1)[0]}` : ''}`);
  output.show(true);
}

async function suggestPremises({ place, client }: Here): Promise<void> {
  const { premises } = (await client.call('lean_hammer_premise', place)) as Premises;
  const chosen = await vscode.window.showQuickPick(
    premises.map(({ name, statement = '' }) => ({ label: name, description: statement })),
    { title: 'Premises; Enter copies the name', matchOnDescription: true },
  );
  if (chosen) await vscode.env.clipboard.writeText(chosen.label);
}

async function check(
  { document, place, client }: Here,
  diagnostics: vscode.DiagnosticCollection,
): Promise<void> {
  const { file_path } = place;
  const { verdicts = [] } = (await client.call('lean_verify', { file_path })) as Verified;
  const { items } = (await client.call('lean_file_outline', { file_path })) as Outline;
  const found = verdicts
    .filter(({ verdict }) => verdict !== 'accepted')
    .map(({ name = '', verdict, kind, message }) => {
      const at = items.find((item) => name === item.name || name.endsWith(`.${item.name}`))?.line ?? 1;
      const severity =
        verdict === 'rejected' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
      const diagnostic = new vscode.Diagnostic(
        document.lineAt(at - 1).range,
        `${verdict}: ${message} (${kind})`,
        severity,
      );
      diagnostic.source = 'orch';
      return diagnostic;
    });
  diagnostics.set(document.uri, found);
  const accepted = verdicts.length - found.length;
  await vscode.window.showInformationMessage(`orch: ${accepted} of ${verdicts.length} accepted`);
}

/** The dashboard prints its address, which carries the token. */
async function openDashboard(output: vscode.OutputChannel): Promise<void> {
  const [program = 'orch', ...first] = orchCommand();
  dashboard?.kill();
  const child = spawn(program, [...first, 'dashboard', '--port', '0'], { cwd: workspaceFolder() });
  dashboard = child;
  child.stderr.on('data', (chunk: Buffer) => output.append(chunk.toString()));
  const address = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const found = /http:\/\/\S+/.exec(printed);
      if (found) resolve(found[0]);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the dashboard ended with exit code ${code ?? 'none'}`)));
  });
  await vscode.env.openExternal(vscode.Uri.parse(address));
}

async function here(output: vscode.OutputChannel): Promise<Here> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error('open a Lean file first');
  const { document, selection } = editor;
  // orch reads the file on disk
  await document.save();
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? workspaceFolder();
  const place = { file_path: document.uri.fsPath, line: selection.active.line + 1 };
  return { document, place, client: await clientIn(folder, output) };
}

async function clientIn(folder: string, output: vscode.OutputChannel): Promise<OrchClient> {
  const started =
    clients.get(folder) ?? OrchClient.start(orchCommand(), folder, (text) => output.append(text));
  clients.set(folder, started);
  // a start that failed is tried again by the next command
  started.catch(() => clients.delete(folder));
  return await started;
}

function orchCommand(): readonly string[] {
  return vscode.workspace.getConfiguration('orch').get<string[]>('command', ['orch']);
}

function workspaceFolder(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error('open the folder of a Lean project first');
  return folder.uri.fsPath;
}
