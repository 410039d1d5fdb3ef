/** A turning ring beside a text that says what is going on; on its own it says nothing to screen readers. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}
