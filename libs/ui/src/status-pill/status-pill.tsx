import type { ReactNode } from 'react';

interface StatusPillProps {
  readonly colour: 'yellow' | 'green' | 'red';
  readonly children: ReactNode;
}

/** A state in one line. Its mark differs by shape as well as by colour: ring, disc, square. */
export function StatusPill({ colour, children }: StatusPillProps) {
  return (
    <span className={`status-pill status-pill--${colour}`} data-colour={colour}>
      <span className="status-pill__mark" aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
}
