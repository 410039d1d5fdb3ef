import { ApiClient, loadConfiguration, logQuietly } from '@maker/web-kit';
import { useCallback, useEffect, useState } from 'react';
import type { Backend, BackendState } from './wizard/wizard.tsx';

/**
 * Loads `/config.json` once per page load. After a failure it tries again on request, when the visitor returns to the page, or
 * when the network returns. Does not use TanStack Query: the landing does not wait for it (docs/adr/0006).
 */
export function useBackend(): BackendState {
  const [backend, setBackend] = useState<Backend>();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again
  useEffect(() => {
    let isLeft = false;
    loadConfiguration().then(
      (configuration) => {
        if (isLeft) return;
        const api = new ApiClient({ baseUrl: configuration.apiBaseUrl, apiKey: configuration.apiKey });
        setBackend({ configuration, api });
      },
      (reason: unknown) => {
        logQuietly('The configuration could not be read', reason);
        if (!isLeft) setFailed(true);
      },
    );
    return () => {
      isLeft = true;
    };
  }, [attempt]);

  const retry = useCallback(() => {
    setFailed(false);
    setAttempt((previous) => previous + 1);
  }, []);

  useEffect(() => {
    if (!failed) return;
    const onReturn = () => {
      if (document.visibilityState === 'visible') retry();
    };
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('online', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('online', onReturn);
    };
  }, [failed, retry]);

  return { backend, failed, retry };
}
