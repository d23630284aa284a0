import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

/** What expressions can name: `github`, `vars`, `secrets`, `steps`, `inputs`, `env`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** The job's status so far, for `success()`, `failure()` and `always()`. */
export type Status = 'success' | 'failure';

/** An expression's value, by GitHub's own evaluator. */
function evaluate(text: string, contexts: Contexts, status: Status): data.ExpressionData {
  const answers = {
    success: status === 'success',
    failure: status === 'failure',
    always: true,
    cancelled: false,
  };
  const functions = Object.entries(answers).map(([name, answer]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(answer),
  }));
  const tokens = new Lexer(text).lex().tokens;
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse();
  const context = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  return new Evaluator(parsed, context, new Map(functions.map((one) => [one.name, one]))).evaluate();
}

/** `if:` of a job or step. Without a status function it requires success. */
export function holds(condition: string | undefined, contexts: Contexts, status: Status): boolean {
  const text = (condition ?? 'success()').replace(/^\s*\$\{\{([\s\S]*)\}\}\s*$/, '$1');
  const asks = /\b(?:success|failure|always|cancelled)\(/.test(text) ? text : `success() && (${text})`;
  const value = evaluate(asks, contexts, status);
  const shown = value.coerceString();
  return !['false', '', '0'].includes(shown);
}

/** A text with its `${{ … }}` filled in. */
export function filled(text: string, contexts: Contexts, status: Status): string {
  return text.replaceAll(/\$\{\{([\s\S]*?)\}\}/g, (_, inner: string) =>
    evaluate(inner, contexts, status).coerceString(),
  );
}
