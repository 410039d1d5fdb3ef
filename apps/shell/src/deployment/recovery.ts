import type { RemoteName, WizardPlace } from '@maker/web-kit';
import { createContext, useCallback, useRef } from 'react';
import { findNewDeployment } from './new-deployment.ts';
import type { QuietReload } from './quiet-reload.ts';

/**
 * Asked when a remote failed: whether the page is being reloaded because of a new deployment, so that nothing need be
 * said of the failure.
 */
export type Recover = (name: RemoteName) => Promise<boolean>;

/** How the remotes' frames get at it. */
export const Recovery = createContext<Recover>(async () => false);

/** @param place to which a reload returns */
export function useRecovery(reload: QuietReload, place: WizardPlace): Recover {
  const current = useRef(place);
  current.current = place;
  return useCallback(
    async (name) => {
      const deployment = await findNewDeployment(name);
      return deployment !== undefined && reload.request(deployment, current.current);
    },
    [reload],
  );
}
