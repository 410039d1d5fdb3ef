/**
 * A line icon as tall as the text beside it. Screen readers skip it, since it only repeats that text.
 * @param path one of `icons`
 */
export function Icon({ path }: { readonly path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
