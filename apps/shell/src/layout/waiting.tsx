import { Spinner } from '@maker/ui';

/** Stands where a part of the site is being loaded; appears only when that takes a moment. */
export function Waiting() {
  return (
    <div className="waiting" role="status">
      <Spinner />
      <span>Loading…</span>
    </div>
  );
}
