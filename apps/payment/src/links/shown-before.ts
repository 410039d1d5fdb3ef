import { logQuietly } from '@maker/web-kit';

const KEY = 'hyperevm-maker.private-links-kept';

/** Jobs that are remembered, the newest. */
const MOST = 20;

/** Whether the payer has said in this browser that they kept the private link of a job. */
export function isShownBefore(jobId: string): boolean {
  return read().includes(jobId);
}

/** The payer kept the private link of a job: it is not shown again. */
export function rememberShown(jobId: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([jobId, ...read()].slice(0, MOST)));
  } catch (error) {
    logQuietly('Kept link not saved', error);
  }
}

function read(): readonly unknown[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch (error) {
    logQuietly('Kept links not read', error);
    return [];
  }
}
