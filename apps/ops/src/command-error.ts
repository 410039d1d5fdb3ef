/** An error that ends a command with one line, without a stack trace. `code` is stable, `message` is for people. */
export abstract class CommandError extends Error {
  abstract readonly code: string;
  /** Exit status of the program. */
  readonly exitStatus: 1 | 2 = 1;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The arguments of a command are invalid. */
export class UsageError extends CommandError {
  readonly code = 'USAGE';
  override readonly exitStatus = 2;
}

/**
 * The sentence of an expected error, such as an endpoint without answer, for one line without a stack trace. viem's long message
 * contains the endpoint's URL, which may contain a key.
 * @returns undefined for a fault of the program
 */
export function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('shortMessage' in error && typeof error.shortMessage === 'string') return error.shortMessage;
  return 'code' in error && error.code !== undefined ? error.message : undefined;
}
