import type { SentenceId } from '../support/specification/sentences.ts';
import { answerPayments } from './actions/api.ts';
import { pollAgain } from './actions/clock.ts';
import { createJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

const COLOURS = { yellow: 'rgb(104, 74, 0)', green: 'rgb(7, 97, 58)', red: 'rgb(156, 31, 39)' } as const;
const FAILED = 'Job has failed. Please contact support if needed.';

interface Row {
  readonly sentence: SentenceId;
  readonly status: string;
  readonly colour: keyof typeof COLOURS;
  readonly label: string;
  readonly failed?: true;
}

/** The table of specification § 4 without the deadline, which payment.e2e.ts tests. */
const ROWS: readonly Row[] = [
  { sentence: '4.pending', status: 'pending_payment', colour: 'yellow', label: 'Waiting for confirmation' },
  { sentence: '4.active', status: 'active', colour: 'green', label: 'Job Active - Trading' },
  { sentence: '4.completed', status: 'completed', colour: 'green', label: 'Job Completed Successfully' },
  {
    sentence: '4.failed-liquidity',
    status: 'failed_liquidity',
    colour: 'red',
    label: 'Job Failed - Insufficient Liquidity',
    failed: true,
  },
  {
    sentence: '4.failed-technical',
    status: 'failed_technical',
    colour: 'red',
    label: 'Job Failed - Technical Issue',
    failed: true,
  },
  { sentence: '4.cancelled', status: 'cancelled', colour: 'red', label: 'Job Cancelled', failed: true },
  {
    sentence: '4.expired',
    status: 'payment_expired',
    colour: 'red',
    label: 'Transaction Failed - Deadline Exceeded',
  },
  { sentence: '4.other', status: 'rebalancing', colour: 'yellow', label: 'Waiting for confirmation' },
];

test(
  'each status has its colour, its label and its advice',
  holds('4.values', '2.payment.pill', '4.failed-advice', ...ROWS.map(({ sentence }) => sentence)),
  async ({ page, wizard, product }) => {
    const shown = { status: '', paymentReceived: false };
    await answerPayments(page, shown);
    await page.clock.install();
    await wizard.openJob(await createJob(product));
    for (const { status, colour, label, failed } of ROWS) {
      shown.status = status;
      await pollAgain(page);
      await expect(wizard.pill, status).toHaveText(label);
      await expect(wizard.pill, status).toHaveCSS('color', COLOURS[colour]);
      await expect(wizard.status, status).toHaveText(label);
      await expect(wizard.status.locator('span'), status).toHaveCSS('color', COLOURS[colour]);
      const isOver = colour === 'red' || status === 'completed';
      if (failed) await expect(page.getByText(FAILED), status).toBeVisible();
      if (colour !== 'red') await expect(page.getByText(FAILED), status).toHaveCount(0);
      const forbidden = page.getByText('Send nothing to this address any more');
      await expect(forbidden, status).toHaveCount(isOver ? 1 : 0);
    }
  },
);

test(
  "paymentReceived shows 'Transaction Received - Job Active' in green",
  holds('4.received', '2.payment.pill'),
  async ({ page, wizard, product }) => {
    const shown = { status: '', paymentReceived: true };
    await answerPayments(page, shown);
    await page.clock.install();
    await wizard.openJob(await createJob(product));
    for (const { status } of ROWS) {
      shown.status = status;
      await pollAgain(page);
      await expect(wizard.pill, status).toHaveText('Transaction Received - Job Active');
      await expect(wizard.pill, status).toHaveCSS('color', COLOURS.green);
      await expect(wizard.status, status).toHaveText('Transaction Received - Job Active');
      await expect(page.getByText(FAILED), status).toHaveCount(0);
    }
  },
);

for (const minutes of [20, -180, 1440, -1440]) {
  test(`a device clock ${minutes} minutes off changes no deadline`, async ({ page, wizard, product }) => {
    await page.addInitScript((off) => {
      const now = Date.now.bind(Date);
      const Shifted = new Proxy(Date, {
        construct: (target, args) => (args.length === 0 ? new target(now() + off) : Reflect.construct(target, args)),
      });
      Shifted.now = () => now() + off;
      globalThis.Date = Shifted;
    }, minutes * 60_000);
    const job = await createJob(product);
    await wizard.openJob(job);
    await expect(wizard.pill).toHaveText('Waiting for confirmation');
    await expect(page.getByRole('timer')).toHaveText(/^14:\d\d$/);
    await expect(page.getByText('Send from your wallet')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copy Address' })).toBeVisible();
  });
}

test('a clock that changes meanwhile is corrected immediately', async ({ page, wizard, product }) => {
  await page.addInitScript(() => {
    const now = Date.now.bind(Date);
    const shift = { byMs: 0 };
    const Shifted = new Proxy(Date, {
      construct: (target, args) =>
        args.length === 0 ? new target(now() + shift.byMs) : Reflect.construct(target, args),
    });
    Shifted.now = () => now() + shift.byMs;
    Object.assign(globalThis, { Date: Shifted, shift });
  });
  await wizard.openJob(await createJob(product));
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  const timer = page.getByRole('timer');
  await expect(timer).toHaveText(/^14:\d\d$/);
  for (const minutes of [30, -60]) {
    const polled = page.waitForRequest('**/payment', { timeout: 5000 });
    await page.evaluate((byMs) => {
      (globalThis as unknown as { shift: { byMs: number } }).shift.byMs = byMs;
    }, minutes * 60_000);
    await (await polled).response();
    await expect(timer).toHaveText(/^14:\d\d$/, { timeout: 1000 });
  }
});
