import type { RemoteName } from '@maker/web-kit';
import { createContext, useCallback } from 'react';
import { findNewDeployment } from './new-deployment.ts';
import type { QuietReload } from './quiet-reload.ts';

/**
 * Asked when a remote failed: whether the page is being reloaded because of a new deployment, so that nothing need be
 * said of the failure.
 */
export type Recover = (name: RemoteName) => Promise<boolean>;

/** How the remotes' frames get at it. */
export const Recovery = createContext<Recover>(async () => false);

/** What a remote's failure is asked of, for all frames of the page. */
export function useRecovery(reload: QuietReload): Recover {
  return useCallback(
    async (name) => {
      const deployment = await findNewDeployment(name);
      return deployment !== undefined && reload.request(deployment);
    },
    [reload],
  );
}
