/** What ends a command with one line instead of a stack trace. `code` is stable, `message` is for people. */
export abstract class CommandError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A command was called in a way it does not understand. */
export class UsageError extends CommandError {
  readonly code = 'USAGE';
}
