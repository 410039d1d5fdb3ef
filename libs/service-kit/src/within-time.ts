/**
 * Waits for work up to a time limit.
 * @param what name of the work, for the error
 * @throws Error after `milliseconds`; the work itself continues, and its result is lost
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
