// @vitest-environment happy-dom
import type { JobStatus } from '@maker/rules';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useNotifyMe, type Watched } from './notify-me.tsx';

/** Uses the hook, by default with a known status. */
const NotifyMe = ({ isKnown = true, ...watched }: Watched & { readonly isKnown?: boolean }) =>
  useNotifyMe(isKnown ? watched : undefined);

const notifications: string[] = [];
let answer: NotificationPermission;

beforeEach(() => {
  notifications.length = 0;
  answer = 'granted';
  class FakeNotification {
    static permission: NotificationPermission = 'default';
    static async requestPermission() {
      FakeNotification.permission = answer;
      return answer;
    }
    constructor(title: string, { tag }: NotificationOptions) {
      notifications.push(`${tag}: ${title}`);
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const WAITING: Watched = { jobId: 'job_1', status: 'pending_payment', isReceived: false, isSeen: false };

function watch() {
  const { rerender } = render(<NotifyMe {...WAITING} />);
  return (change: Partial<Watched>) => rerender(<NotifyMe {...WAITING} {...change} />);
}
const button = () => screen.queryByRole('button', { name: 'Notify me' });
const click = () => act(async () => void fireEvent.click(button() as HTMLElement));

it('notifies of seen, started and done after one click', async () => {
  const become = watch();
  expect(notifications).toEqual([]);
  await click();
  expect(button()).toBeNull();
  expect(screen.getByText('Notifications are on')).toBeTruthy();
  become({ isSeen: true });
  become({ isSeen: true });
  become({ isSeen: true, isReceived: true, status: 'active' });
  become({ isReceived: true, status: 'active' });
  become({ isReceived: true, status: 'completed' });
  expect(notifications).toEqual([
    'job_1: Payment seen, waiting for confirmation',
    'job_1: Payment received, your job has started',
    'job_1: Job Completed Successfully',
  ]);
  expect(document.body.textContent).toBe('');
});

it.each<[JobStatus, string]>([
  ['payment_expired', 'Transaction Failed - Deadline Exceeded'],
  ['failed_liquidity', 'Job Failed - Insufficient Liquidity'],
  ['cancelled', 'Job Cancelled'],
])('notifies of an end as %s', async (status, label) => {
  const become = watch();
  await click();
  become({ status });
  expect(notifications).toEqual([`job_1: ${label}`]);
});

it('notifies of changes in a later visit without a click', async () => {
  await Notification.requestPermission();
  const { rerender } = render(<NotifyMe {...WAITING} isKnown={false} />);
  expect(document.body.textContent).toBe('');
  rerender(<NotifyMe {...WAITING} status="active" isReceived />);
  expect(notifications).toEqual([]);
  rerender(<NotifyMe {...WAITING} status="completed" isReceived />);
  expect(notifications).toEqual(['job_1: Job Completed Successfully']);
});

it('sends nothing before a click', () => {
  watch()({ isSeen: true });
  expect(notifications).toEqual([]);
});

it('disappears once refused', async () => {
  answer = 'denied';
  const become = watch();
  await click();
  become({ isSeen: true });
  expect(button()).toBeNull();
  expect(document.body.textContent).toBe('');
  expect(notifications).toEqual([]);
});

it.each([
  ['has no notifications', () => vi.stubGlobal('Notification', undefined)],
  [
    'notifies by service workers alone',
    () => vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 16)' }),
  ],
])('is hidden where the browser %s', (_, arrange) => {
  arrange();
  watch();
  expect(button()).toBeNull();
});

it('stays in place when the browser throws instead of notifying', async () => {
  const become = watch();
  await click();
  vi.stubGlobal(
    'Notification',
    class {
      constructor() {
        throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.');
      }
    },
  );
  become({ isReceived: true, status: 'active' });
  expect(document.body.textContent).toBe('');
});

it('takes an unanswerable question for a refusal', async () => {
  Object.assign(Notification, { requestPermission: () => Promise.reject(new TypeError('refused')) });
  watch();
  await click();
  expect(document.body.textContent).toBe('');
});
