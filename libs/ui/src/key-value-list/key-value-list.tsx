import type { ReactNode } from 'react';

/** Facts, one a line, name and value joined by a leader as in a ledger. Holds `KeyValue`s. */
export function KeyValueList({ children }: { readonly children: ReactNode }) {
  return <dl className="key-value-list">{children}</dl>;
}

/** One line of a `KeyValueList`. */
export function KeyValue({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="key-value">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
