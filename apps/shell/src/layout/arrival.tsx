import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';

/** Whether the visitor came here by a change of step or page, and not by loading the site. */
export const ArrivedByMoving = createContext(false);

/** Moves the focus to the title of what it holds when the visitor arrives there, so that reading starts at the top. */
export function Arrival({ children }: { readonly children: ReactNode }) {
  const moved = useContext(ArrivedByMoving);
  const holder = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the arrival counts, not what happens afterwards
  useEffect(() => {
    if (!moved) return;
    const title = holder.current?.querySelector('h1');
    title?.setAttribute('tabindex', '-1');
    title?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, []);
  return <div ref={holder}>{children}</div>;
}
