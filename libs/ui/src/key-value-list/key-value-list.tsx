import type { ReactNode } from 'react';

/** Facts, one a line, name and value joined by a leader as in a ledger. Holds `KeyValue`s. */
export function KeyValueList({ children }: { readonly children: ReactNode }) {
  return <dl className="key-value-list">{children}</dl>;
}

interface KeyValueProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** One line of a `KeyValueList`. */
export function KeyValue({ name, children }: KeyValueProps) {
  return (
    <div className="key-value">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
