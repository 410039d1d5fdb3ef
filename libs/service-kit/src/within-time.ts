/**
 * Waits for something no longer than a time.
 * @param what is waited for, as the error calls it
 * @throws Error when the time, in ms, is over; the work itself goes on, and nobody hears of its end
 */
export async function withinTime<Value>(
  milliseconds: number,
  work: () => Value | Promise<Value>,
  what = 'answer',
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no ${what} within ${milliseconds} ms`)), milliseconds);
    timer.unref();
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
