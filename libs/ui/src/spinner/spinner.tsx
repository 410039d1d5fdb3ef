/** A turning ring beside a text that names the activity. Screen readers skip the ring. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}
