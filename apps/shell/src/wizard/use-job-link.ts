import { ApiCallError, type JobStore, logQuietly, type ReadLink, type WizardEvent } from '@maker/web-kit';
import { useCallback, useEffect, useState } from 'react';
import type { Backend } from './wizard.tsx';

interface UseJobLinkParameters {
  /** The link that opened this page load. */
  readonly link: ReadLink | undefined;
  readonly jobs: JobStore;
  readonly backend: Backend | undefined;
  readonly send: (event: WizardEvent) => void;
}

type Opening = 'none' | 'opening' | 'failed' | 'unknown';

/** Opens the job of a link once the configuration is loaded; then the payment step shows it. */
export function useJobLink({ link, jobs, backend, send }: UseJobLinkParameters) {
  const [state, setState] = useState<Opening>(link === 'incomplete' ? 'unknown' : link ? 'opening' : 'none');
  useEffect(() => {
    if (state !== 'opening' || typeof link !== 'object' || !backend) return;
    let isLeft = false;
    import(/* webpackChunkName: "open-link" */ './open-link.ts')
      .then(({ openLink }) => openLink(backend.api, link, jobs.recentJobs()))
      .then(
        (job) => {
          if (isLeft) return;
          send({ type: 'job_reopened', job });
          setState('none');
        },
        (reason: unknown) => {
          logQuietly('The job of a link could not be opened', reason);
          const isUnknown = reason instanceof ApiCallError && reason.error.statusCode === 404;
          if (!isLeft) setState(isUnknown ? 'unknown' : 'failed');
        },
      );
    return () => {
      isLeft = true;
    };
  }, [state, link, jobs, backend, send]);
  return {
    state,
    retry: useCallback(() => setState('opening'), []),
    leave: useCallback(() => setState('none'), []),
  };
}
