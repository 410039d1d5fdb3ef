/** The module that each remote exposes. The shell loads it, and the build of the remote is checked against it. Source: design § 8. */
export const REMOTES = {
  token: './step',
  amount: './step',
  payment: './step',
  terms: './page',
} as const;

/** Name of a remote, which is also its folder under `/remotes/`. */
export type RemoteName = keyof typeof REMOTES;

/** Entry file of a remote; its only file that is never cached. */
export const REMOTE_ENTRY_FILE = 'remoteEntry.js';

/**
 * Folder below a remote's with its container for any other federation host, with its own manifest and runtime
 * (docs/adr/0034).
 */
export const STANDARD_CONTAINER = 'standard';

/** Global variable that a remote's entry sets to its container. */
export function remoteGlobal(name: RemoteName): string {
  return `maker_remote_${name}`;
}

/** Global variable that a remote's entry sets to the id of its build. */
export function remoteBuildGlobal(name: RemoteName): string {
  return `${remoteGlobal(name)}_build`;
}

/**
 * Packages that the page must have only once, or that all remotes use: the shell provides them and no remote bundles
 * its own copy.
 */
export const SHARED_MODULES = ['react', 'react/jsx-runtime', 'react-dom', '@tanstack/react-query'] as const;

/** Name of a package that the shell provides. */
export type SharedModule = (typeof SHARED_MODULES)[number];
