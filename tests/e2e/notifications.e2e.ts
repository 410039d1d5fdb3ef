import type { Page } from '@playwright/test';
import { answerPayments, type ShownPayment } from './actions/api.ts';
import { createJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';

/** Simulates a visitor who will grant the permission, in any version of Chromium. @returns titles of the notifications */
async function willAgree(page: Page): Promise<readonly string[]> {
  const titles: string[] = [];
  await page.exposeFunction('notified', (title: string) => void titles.push(title));
  await page.addInitScript(() => {
    const { notified } = globalThis as unknown as { notified(title: string): void };
    let permission: NotificationPermission = 'default';
    class Agreed extends EventTarget {
      static get permission() {
        return permission;
      }
      static async requestPermission() {
        permission = 'granted';
        return permission;
      }
      constructor(title: string) {
        super();
        notified(title);
      }
    }
    Object.assign(globalThis, { Notification: Agreed });
  });
  return titles;
}

test('one click enables three notifications: seen, started, done', async ({ page, wizard, product }) => {
  const titles = await willAgree(page);
  const shown: { -readonly [Name in keyof ShownPayment]: ShownPayment[Name] } = { paymentReceived: false };
  await answerPayments(page, shown);
  await page.clock.install();
  await wizard.openJob(await createJob(product));
  await page.getByRole('button', { name: 'Notify me' }).click();
  await expect(page.getByText('Notifications are on')).toBeVisible();
  await expect(page).toHaveTitle('Waiting for confirmation · HyperEVM Maker Bot');
  for (const [change, title, news] of [
    [{ waitingWei: '250000000000000000' }, 'Payment seen', 'Payment seen, waiting for confirmation'],
    [
      { status: 'active', paymentReceived: true },
      'Transaction Received - Job Active',
      'Payment received, your job has started',
    ],
    [{ status: 'completed' }, 'Job Completed Successfully', 'Job Completed Successfully'],
  ] as const) {
    Object.assign(shown, change);
    await page.clock.fastForward(10_000);
    await expect.poll(() => titles.at(-1)).toBe(news);
    await expect(page).toHaveTitle(`${title} · HyperEVM Maker Bot`);
  }
  expect(titles).toHaveLength(3);
});

test('a refused permission is not asked for again', async ({ page, wizard, product }) => {
  // Rejects all permissions that the list does not name. The default of headless Chromium differs between versions.
  await page.context().grantPermissions([]);
  await wizard.openJob(await createJob(product));
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  expect(await page.evaluate(() => Notification.permission)).toBe('denied');
  await expect(page.getByRole('button', { name: 'Notify me' })).toHaveCount(0);
});

test('a notification that throws leaves address and receipt', async ({ page, wizard, product }) => {
  // Chrome of Android behind a desktop's user agent: permission is granted, and the constructor throws.
  await page.addInitScript(() => {
    class Refused {
      static readonly permission = 'granted';
      static requestPermission = async () => 'granted';
      constructor() {
        throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.');
      }
    }
    Object.assign(globalThis, { Notification: Refused });
  });
  const shown: { -readonly [Name in keyof ShownPayment]: ShownPayment[Name] } = { paymentReceived: false };
  await answerPayments(page, shown);
  await page.clock.install();
  const job = await createJob(product);
  await wizard.openJob(job);
  await expect(page.getByText('Notifications are on')).toBeVisible();
  Object.assign(shown, { status: 'active', paymentReceived: true });
  await page.clock.fastForward(10_000);
  await expect(wizard.pill).toHaveText('Transaction Received - Job Active');
  await expect(page.getByText('Notifications are on')).toHaveCount(0);
  await expect(page.getByText(job.paymentAddress)).toBeVisible();
});
