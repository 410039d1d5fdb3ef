import { logQuietly } from '@maker/web-kit';
import { useEffect, useState } from 'react';

/**
 * A hook that loads a component on demand and returns it when it is loaded: the landing is usable before
 * (docs/adr/0006). @param what name in the log
 */
export function loadedLater<Component>(what: string, load: () => Promise<Component>) {
  let loaded: Component | undefined;
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each component, never while rendering
  return function useLoaded(isNeeded: boolean): Component | undefined {
    const [component, setComponent] = useState(() => loaded);
    useEffect(() => {
      if (loaded || !isNeeded) return;
      load().then(
        (arrived) => {
          loaded = arrived;
          setComponent(() => arrived);
        },
        (reason: unknown) => logQuietly(`${what} could not be loaded`, reason),
      );
    }, [isNeeded]);
    return component;
  };
}
