import { type ReactNode, useState } from 'react';
import { Part } from './part.tsx';

interface FoldedProps {
  readonly className?: string | undefined;
  readonly summary: string;
  /** Opened at first. */
  readonly isOpen?: boolean;
  /** Rendered only after opening: few visitors open it. */
  readonly children: ReactNode;
}

/** Details that are rendered only after the visitor opens them. */
export function Folded({ className, summary, isOpen = false, children }: FoldedProps) {
  const [isOpened, setOpened] = useState(isOpen);
  return (
    <details
      className={className}
      open={isOpen || undefined}
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary>{summary}</summary>
      {isOpened && <Part>{children}</Part>}
    </details>
  );
}
