import type { ReactNode } from 'react';

interface StatProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly detail?: ReactNode;
}

/** One figure with its name, inside `Stats`. */
export function Stat({ label, value, detail }: StatProps) {
  return (
    <div className="stat">
      <dt className="stat__label">{label}</dt>
      <dd className="stat__value">{value}</dd>
      {detail !== undefined && <dd className="stat__detail">{detail}</dd>}
    </div>
  );
}

/** A row of `Stat`s. */
export function Stats({ children }: { readonly children: ReactNode }) {
  return <dl className="stats">{children}</dl>;
}
