import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';

/** Whether the visitor came here by a change of step or page, not by loading the site. */
export const ArrivedByMoving = createContext(false);

/** Moves the focus to the title of its content on arrival, so that screen readers start at the top. */
export function Arrival({ children }: { readonly children: ReactNode }) {
  const moved = useContext(ArrivedByMoving);
  const holder = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the arrival matters, not later changes
  useEffect(() => {
    if (!moved) return;
    const title = holder.current?.querySelector('h1');
    title?.setAttribute('tabindex', '-1');
    title?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, []);
  return <div ref={holder}>{children}</div>;
}
