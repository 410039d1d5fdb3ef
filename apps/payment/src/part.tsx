import { ErrorBoundary, Notice } from '@maker/ui';
import { logQuietly } from '@maker/web-kit';
import { type ReactNode, Suspense } from 'react';

const logBroken = (error: unknown) => logQuietly('A part failed', error);

interface PartProps {
  /** The page works without the part: show no message if it fails. */
  readonly isOrnament?: boolean;
  readonly children: ReactNode;
}

/** A part of the step that fails alone: an error of it, or a file that cannot be loaded, leaves the rest of the step in place. */
export function Part({ isOrnament = false, children }: PartProps) {
  return (
    <ErrorBoundary
      onError={logBroken}
      fallback={
        !isOrnament && <Notice tone="yellow">This part could not be loaded. Reload the page to try again.</Notice>
      }
    >
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  );
}
