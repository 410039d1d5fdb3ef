import { logQuietly } from '@maker/web-kit';
import { useEffect, useState } from 'react';
import type { LiveStats } from './live-stats.tsx';

let loaded: typeof LiveStats | undefined;

/** What keeps the stat tiles up to date, once it is there: the landing can be used before (docs/adr/0006). */
export function useLiveStats(): typeof LiveStats | undefined {
  const [component, setComponent] = useState(() => loaded);
  useEffect(() => {
    if (loaded) return;
    import(/* webpackChunkName: "live-stats" */ './live-stats.tsx').then(
      (module) => {
        loaded = module.LiveStats;
        setComponent(() => module.LiveStats);
      },
      (reason: unknown) => logQuietly('The live stats could not be loaded', reason),
    );
  }, []);
  return component;
}
