import { logQuietly } from '@maker/web-kit';
import { useEffect, useState } from 'react';
import type { RecentJobs } from './recent-jobs.tsx';

let loaded: typeof RecentJobs | undefined;

/** The list of recent jobs, loaded for visitors who have some. */
export function useRecentJobs(isNeeded: boolean): typeof RecentJobs | undefined {
  const [component, setComponent] = useState(() => loaded);
  useEffect(() => {
    if (loaded || !isNeeded) return;
    import(/* webpackChunkName: "recent-jobs" */ './recent-jobs.tsx').then(
      (module) => {
        loaded = module.RecentJobs;
        setComponent(() => module.RecentJobs);
      },
      (reason: unknown) => logQuietly('Recent jobs could not be loaded', reason),
    );
  }, [isNeeded]);
  return component;
}
