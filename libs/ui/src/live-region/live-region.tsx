import type { ReactNode } from 'react';

interface LiveRegionProps {
  /** Read out whenever it changes, after what is being read. Leave the region mounted and change this. */
  readonly children: ReactNode;
  /** Only for screen readers. */
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
