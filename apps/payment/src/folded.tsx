import { type ReactNode, Suspense, useState } from 'react';

interface FoldedProps {
  readonly className?: string | undefined;
  readonly summary: string;
  /** Read and rendered once it is opened: few visitors do. */
  readonly children: ReactNode;
}

/** Details that cost nothing before they are opened. */
export function Folded({ className, summary, children }: FoldedProps) {
  const [isOpened, setOpened] = useState(false);
  return (
    <details className={className} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>{summary}</summary>
      {isOpened && <Suspense>{children}</Suspense>}
    </details>
  );
}
