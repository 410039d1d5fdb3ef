/** Writes a moment near now as the visitor does, such as '1 Jan, 14:05'. */
export const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
