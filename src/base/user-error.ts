/** Exit codes of every command. */
export const exitCode = {
  asExpected: 0,
  notAsExpected: 1,
  usage: 2,
  benchError: 3,
  interrupted: 130,
} as const;

/**
 * A mistake that the user can mend: one clear message with place and remedy, printed without a stack trace.
 * `place` is `file:line:column`, an option or a path; it stands before the message.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly exitCode: number;
  readonly place: string | undefined;

  constructor(message: string, options: { place?: string; exitCode?: number; cause?: unknown } = {}) {
    super(options.place ? `${options.place}  ${message}` : message, { cause: options.cause });
    this.place = options.place;
    this.exitCode = options.exitCode ?? exitCode.usage;
  }
}
