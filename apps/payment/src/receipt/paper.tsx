import { type ReactNode, useSyncExternalStore } from 'react';

let isPrinting = false;

/** Calls `onChange` when the browser begins and ends to print the page. */
function watchPrinting(onChange: () => void): () => void {
  const turn = ({ type }: Event) => {
    isPrinting = type === 'beforeprint';
    onChange();
  };
  addEventListener('beforeprint', turn);
  addEventListener('afterprint', turn);
  return () => {
    removeEventListener('beforeprint', turn);
    removeEventListener('afterprint', turn);
  };
}

/** Whether the page is being printed: nobody unfolds paper. An external store renders before the browser prints. */
export function useOnPaper(): boolean {
  return useSyncExternalStore(
    watchPrinting,
    () => isPrinting,
    () => false,
  );
}

interface FoldedOnScreenProps {
  readonly className?: string | undefined;
  readonly summary: string;
  readonly children: ReactNode;
}

/** Details that are folded on a screen and open on paper. */
export function FoldedOnScreen({ className, summary, children }: FoldedOnScreenProps) {
  return (
    <details className={className} open={useOnPaper() || undefined}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
