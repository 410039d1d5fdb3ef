import { logQuietly } from '@maker/web-kit';
import { useEffect, useState } from 'react';

/**
 * A hook that loads a component once it is needed, and yields it once it is there: the landing can be used before
 * (docs/adr/0006). @param what names it in the log
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
