/** An error that ends a command with one line instead of a stack trace. `code` is stable, `message` is for people. */
export abstract class StackError extends Error {
  abstract readonly code: string;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** A program that the stack needs is not installed and not available for download. */
export class MissingBinaryError extends StackError {
  readonly code = 'MISSING_BINARY';

  constructor(program: string, variable: string, reason: string) {
    super(`${program} is missing: ${reason}; install ${program} on the PATH or set ${variable}=/path/to/${program}`);
  }
}

/** Another program uses a port that the stack needs. */
export class PortBusyError extends StackError {
  readonly code = 'PORT_BUSY';

  constructor(port: number, purpose: string, variable: string) {
    super(
      `port ${port} (${purpose}) is in use by another program; choose another with ${variable}=<port>, or let all be chosen with --free-ports`,
    );
  }
}

/** Another stack of the same directory is running. */
export class StackRunningError extends StackError {
  readonly code = 'STACK_RUNNING';

  constructor(directory: string, pid: number) {
    super(
      `a stack is already running in ${directory} (process ${pid}); stop it with Ctrl-C there, or with: kill ${pid}`,
    );
  }
}

/** A process ended, or did not become ready, while the stack needed it. */
export class ProcessFailedError extends StackError {
  readonly code = 'PROCESS_FAILED';

  constructor(name: string, what: string, lastLogLine: string, logFile: string) {
    super(`${name} ${what}${lastLogLine ? `: ${lastLogLine}` : ''} (log: ${logFile})`);
  }
}

/** A build that the stack needs failed; its output was printed. */
export class BuildFailedError extends StackError {
  readonly code = 'BUILD_FAILED';

  constructor() {
    super('the build failed; its errors are above');
  }
}

/** The build of an app to run is missing. */
export class NotBuiltError extends StackError {
  readonly code = 'NOT_BUILT';

  constructor(path: string, what = 'does not exist') {
    super(`${path} ${what}: build first, with npm run build`);
  }
}

/** A command needs a running stack and there is none. */
export class NoStackError extends StackError {
  readonly code = 'NO_STACK';

  constructor(file: string) {
    super(`no stack is running (${file} does not exist); start one with: npm start`);
  }
}

/** A command was called with wrong arguments. */
export class UsageError extends StackError {
  readonly code = 'USAGE';
}

/** The start was aborted because a stop was requested. */
export class StackStoppedError extends StackError {
  readonly code = 'STACK_STOPPED';

  constructor() {
    super('stopped before it was ready');
  }
}
