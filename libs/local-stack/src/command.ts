/** What a program of the terminal needs, without the servers' and the chain's libraries: a linter starts at once. */
export { installPackages } from './binaries/install-packages.ts';
export { aborted, readSwitches, runCommand, seconds } from './cli/command.ts';
export { BuildFailedError, UsageError } from './errors.ts';
export { WORKSPACE_ROOT } from './paths.ts';
export { forget, reapOnDeath } from './processes/reaper.ts';
