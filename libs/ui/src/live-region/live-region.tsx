import type { ReactNode } from 'react';

interface LiveRegionProps {
  /** Screen readers announce each change after the current speech. Keep the region mounted and change this content. */
  readonly children: ReactNode;
  /** Only visible to screen readers. */
  readonly hidden?: boolean;
}

/** A polite live region. */
export function LiveRegion({ children, hidden = false }: LiveRegionProps) {
  return (
    <div role="status" className={hidden ? 'visually-hidden' : 'live-region'}>
      {children}
    </div>
  );
}
