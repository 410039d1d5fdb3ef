/** The product's mark: an even row of rising ticks. Decorative: the name beside it has the same meaning. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="brand-mark__ground" width="32" height="32" rx="8" />
      <path className="brand-mark__ticks" d="M8 19v4M13 16v7M18 13v10M23 9v14" />
    </svg>
  );
}
