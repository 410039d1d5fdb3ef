import type { ApiClient } from '@maker/web-kit';
import { useEffect, useReducer } from 'react';

/** The server's time, ms. While `running`, renders again every second. */
export function useNow({ clock }: ApiClient, running: boolean): number {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [running]);
  return clock.now();
}
