import { readFileSync } from 'node:fs';

/** The extension's calls to its editor. */
interface Shown {
  readonly infos: string[];
  readonly warnings: string[];
  readonly errors: string[];
  readonly output: string[];
  readonly opened: string[];
  readonly copied: string[];
  readonly diagnostics: { readonly line: number; readonly message: string; readonly severity: number }[];
  readonly picks: string[];
}

export interface StandIn {
  readonly vscode: object;
  readonly commands: Map<string, () => Promise<void>>;
  readonly shown: Shown;
  /** The cursor, as in VS Code: lines from 0. */
  open(file: string, line: number): void;
}

const keep = (list: string[]) => async (text: string) => await Promise.resolve(void list.push(text));

/** The part of VS Code's API that the extension uses, without an editor. */
export function standIn(folder: string, settings: Readonly<Record<string, unknown>>): StandIn {
  const commands = new Map<string, () => Promise<void>>();
  const shown: Shown = {
    infos: [],
    warnings: [],
    errors: [],
    output: [],
    opened: [],
    copied: [],
    diagnostics: [],
    picks: [],
  };
  const disposable = { dispose: (): void => {} };
  const window = {
    activeTextEditor: undefined as object | undefined,
    createOutputChannel: () => ({
      ...disposable,
      append: () => {},
      appendLine: (text: string) => shown.output.push(text),
      clear: () => shown.output.splice(0),
      show: () => {},
    }),
    showInformationMessage: keep(shown.infos),
    showWarningMessage: keep(shown.warnings),
    showErrorMessage: keep(shown.errors),
    showQuickPick: async (items: readonly { label: string }[]) => {
      shown.picks.push(...items.map(({ label }) => label));
      return await Promise.resolve(items[0]);
    },
    withProgress: async (_: object, work: (progress: object, token: object) => Promise<unknown>) =>
      await work({ report: () => {} }, { onCancellationRequested: () => disposable }),
  };
  class Diagnostic {
    readonly range: { readonly line: number };
    readonly message: string;
    readonly severity: number;
    source = '';
    constructor(range: { readonly line: number }, message: string, severity: number) {
      this.range = range;
      this.message = message;
      this.severity = severity;
    }
  }
  const vscode = {
    window,
    commands: {
      registerCommand: (name: string, run: () => Promise<void>) => {
        commands.set(name, run);
        return disposable;
      },
    },
    languages: {
      createDiagnosticCollection: () => ({
        ...disposable,
        delete: () => {},
        set: (_: object, found: readonly Diagnostic[]) => {
          const rows = found.map(({ range, message, severity }) => ({ line: range.line, message, severity }));
          shown.diagnostics.splice(0, Infinity, ...rows);
        },
      }),
    },
    workspace: {
      workspaceFolders: [{ uri: { fsPath: folder } }],
      getWorkspaceFolder: () => ({ uri: { fsPath: folder } }),
      getConfiguration: () => ({ get: (name: string, other: unknown) => settings[name] ?? other }),
      onDidChangeTextDocument: () => disposable,
    },
    env: {
      clipboard: { writeText: keep(shown.copied) },
      openExternal: async (uri: { text: string }) => await Promise.resolve(void shown.opened.push(uri.text)),
    },
    Uri: { parse: (text: string) => ({ text }) },
    ProgressLocation: { Notification: 15 },
    DiagnosticSeverity: { Error: 0, Warning: 1 },
    Diagnostic,
  };
  return {
    vscode,
    commands,
    shown,
    open(file, line) {
      window.activeTextEditor = {
        selection: { active: { line } },
        document: {
          uri: { fsPath: file },
          save: async () => await Promise.resolve(true),
          lineAt: (at: number) => ({ range: { line: at, text: readFileSync(file, 'utf8').split('\n')[at] } }),
        },
      };
    },
  };
}
