/** Helpers for terminal programs, without the libraries of servers and chain, so that a linter starts quickly. */
export { installPackages } from './binaries/install-packages.ts';
export { aborted, readSwitches, runCommand, seconds } from './cli/command.ts';
export { BuildFailedError, UsageError } from './errors.ts';
export { WORKSPACE_ROOT } from './paths.ts';
export { forget, reapOnDeath } from './processes/reaper.ts';
