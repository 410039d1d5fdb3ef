const PATHS = {
  back: 'M15 5l-7 7 7 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  download: 'M12 4v11m-5-5l5 5 5-5M5 20h14',
  external: 'M8 5H5v14h14v-3M13 5h6v6m0-6l-9 9',
  warning: 'M12 4L2.5 20h19zM12 10v4.5m0 2.2v.3',
  clock: 'M12 3a9 9 0 100 18 9 9 0 000-18zm0 4.5V12l3 2',
  pause: 'M9 6v12M15 6v12',
} as const;

/** Names of the icons. */
export type IconName = keyof typeof PATHS;

/** A line icon as tall as the text beside it. It only repeats that text, so screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
