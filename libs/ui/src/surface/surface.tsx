import { type ReactNode, useId } from 'react';

interface SurfaceProps {
  /** Heading of the surface (`h2`); with a title the surface is a named region. */
  readonly title?: string;
  /** Shown at the end of the heading's row. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A raised panel that groups related content. */
export function Surface({ title, aside, children }: SurfaceProps) {
  const titleId = useId();
  if (title === undefined) return <div className="surface">{children}</div>;
  return (
    <section className="surface" aria-labelledby={titleId}>
      <div className="surface__header">
        <h2 className="surface__title" id={titleId}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
