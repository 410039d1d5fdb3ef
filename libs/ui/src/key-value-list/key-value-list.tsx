import type { ReactNode } from 'react';

/** A list of facts, one per line, with a leader between name and value as in a ledger. Contains `KeyValue`s. */
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
