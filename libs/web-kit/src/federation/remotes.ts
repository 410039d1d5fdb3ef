/** What each remote exposes; the shell loads it and the build of the remote is checked against it. Source: design § 8. */
export const REMOTES = {
  token: './step',
  amount: './step',
  payment: './step',
  terms: './page',
} as const;

/** Name of a remote, which is also its folder under `/remotes/`. */
export type RemoteName = keyof typeof REMOTES;

/** File through which a remote is entered; the one file of a remote that is never cached. */
export const REMOTE_ENTRY_FILE = 'remoteEntry.js';

/**
 * Folder below a remote's, where its container for any other federation host lies, with a manifest and a runtime of its own
 * (docs/adr/0034).
 */
export const STANDARD_CONTAINER = 'standard';

/** Global under which a remote's entry puts its container. */
export function remoteGlobal(name: RemoteName): string {
  return `maker_remote_${name}`;
}

/** Global under which a remote's entry says of which build it is. */
export function remoteBuildGlobal(name: RemoteName): string {
  return `${remoteGlobal(name)}_build`;
}

/**
 * Packages of which the page must hold exactly one copy, or which all remotes use: the shell provides them and no
 * remote carries its own.
 */
export const SHARED_MODULES = ['react', 'react/jsx-runtime', 'react-dom', '@tanstack/react-query'] as const;

/** Name of a package that the shell provides. */
export type SharedModule = (typeof SHARED_MODULES)[number];
