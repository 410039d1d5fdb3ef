import type { RemoteName } from '@maker/web-kit';
import { createContext, useCallback } from 'react';
import { findNewDeployment } from './new-deployment.ts';
import type { QuietReload } from './quiet-reload.ts';

/**
 * Called when a remote failed. Resolves to whether the page reloads because of a new deployment, so that the frame shows
 * no error.
 */
export type Recover = (name: RemoteName) => Promise<boolean>;

/** Provides the function to the remotes' frames. */
export const Recovery = createContext<Recover>(async () => false);

/** The function for all frames of the page. */
export function useRecovery(reload: QuietReload): Recover {
  return useCallback(
    async (name) => {
      const deployment = await findNewDeployment(name);
      return deployment !== undefined && reload.request(deployment);
    },
    [reload],
  );
}
