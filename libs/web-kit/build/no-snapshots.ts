/** Replaces the federation runtime's handler of manifests, which it calls only for them, for a preload, and for a removed remote. */
export class SnapshotHandler {
  readonly hooks = { applyPlugin: () => undefined };
}

/** No remote of the shell has a snapshot. */
export const getGlobalRemoteInfo = () => ({});
