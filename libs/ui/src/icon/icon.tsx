/**
 * A line icon as tall as the text beside it. It only repeats that text, so screen readers skip it.
 * @param path one of `icons`
 */
export function Icon({ path }: { readonly path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
