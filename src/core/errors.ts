/**
 * An error that the user can fix. It has a stable code, a message and a hint what to do next; it is printed
 * without a stack and ends the process with exit code 2. Anything else that is thrown is a bug and keeps its stack.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}

/** For the default branch of an exhaustive switch: reaching it is a bug. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

/** A value that must exist, such as an element within bounds; if it is missing, that is a bug. */
export function definite<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a value is missing');
  return value;
}

/** Like `definite`, for null. */
export function notNull<Value>(value: Value | null): Value {
  if (value === null) throw new Error('a value is missing');
  return value;
}

/** The message of a caught value; anything can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A field of a value from outside; undefined if it is not an object or lacks the field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The system error code of a caught error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
