import { recordCalls } from './actions/api.ts';
import { stopClock } from './actions/clock.ts';
import { createJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'], timezoneId: 'Pacific/Auckland', locale: 'en-NZ' });

test(
  'shows budget, address, job information and notes',
  holds(
    '2.payment.title',
    '2.payment.budget',
    '2.payment.address',
    '2.payment.job',
    '2.payment.notes',
    '2.payment.pill',
    '3.payment-response',
    '4.pending',
    '9.times',
  ),
  async ({ page, wizard, product }) => {
    const job = await createJob(product, 0.5);
    const payment = await product.payment(job.jobId);
    expect(payment).toMatchObject({ status: 'pending_payment', paymentReceived: false });
    await wizard.openJob(job);

    await expect(wizard.title('payment')).toHaveText('Initiate Token Transfer');
    await expect(wizard.fact('Desired Budget')).toHaveText('0.5 HYPE Estimated makers: 500~830');
    await expect(wizard.fact('Payment Wallet Address')).toHaveText(job.paymentAddress);

    const information = page.getByRole('region', { name: 'Job Information' });
    await expect(information.getByText(job.jobId)).toBeVisible();
    const local = new Intl.DateTimeFormat('en-NZ', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Pacific/Auckland',
    }).format(new Date(job.paymentDeadline));
    await expect(wizard.fact('Transaction Deadline')).toHaveText(local);
    const minutes = (Date.parse(job.paymentDeadline) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(13);
    expect(minutes).toBeLessThan(16);
    await expect(wizard.status).toHaveText('Waiting for confirmation');
    await expect(wizard.status.locator('span')).toHaveCSS('color', 'rgb(104, 74, 0)');

    const notes = page.getByRole('region', { name: 'Important Notes' });
    await expect(notes.getByRole('listitem')).toHaveText([
      /transfer is auto-detected once confirmed on-chain/,
      /Manual transfer only: there are no QR codes and no wallet integration/,
      /bot starts on detection, usually within 10 minutes/,
      /not detected within 15 minutes, contact support/,
    ]);
    await expect(page.getByText("This is the job's one public wallet")).toBeVisible();
  },
);

test('amount and address come first, links after payment', async ({ page, wizard, product }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await wizard.openJob(await createJob(product));
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  const parts = [
    page.getByRole('button', { name: 'Copy Amount' }),
    page.getByRole('button', { name: 'Copy Address' }),
    page.getByText('Job Information', { exact: true }),
    page.getByText('Important Notes', { exact: true }),
  ];
  const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? -1));
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  await expect(page.getByText('Link and private code')).toHaveCount(0);
});

test(
  'copies the address and confirms for 2 seconds',
  holds('2.payment.address', '9.times'),
  async ({ page, wizard, product }) => {
    await page.clock.install();
    const job = await createJob(product);
    await wizard.openJob(job);
    await stopClock(page);
    const confirmation = page.getByText('Address copied to clipboard!');
    await expect(confirmation).toHaveCount(0);
    await page.getByRole('button', { name: 'Copy Address' }).click();
    await expect(confirmation).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(job.paymentAddress);
    await page.clock.runFor(1_999);
    await expect(confirmation).toBeVisible();
    await page.clock.runFor(1);
    await expect(confirmation).toHaveCount(0);

    await page.getByRole('button', { name: 'Copy Amount' }).click();
    await expect(page.getByText('Amount copied to clipboard!')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('0.25');
  },
);

test(
  'polls the payment immediately, then every 10 s',
  holds('4.poll', '7.payment', '9.times'),
  async ({ page, wizard, product }) => {
    await page.clock.install();
    const job = await createJob(product);
    const calls = recordCalls(page, `/jobs/${job.jobId}/payment`);
    const polls = () => calls.filter((call) => call.method() === 'GET').length;
    await wizard.openJob(job);
    await expect(page.getByText('Checked at')).toBeVisible();
    await stopClock(page);
    expect(polls()).toBe(1);
    await page.clock.runFor(8_000);
    expect(polls()).toBe(1);
    await page.clock.runFor(2_000);
    await expect.poll(polls).toBe(2);
    await page.clock.resume();
    for (const count of [3, 4]) {
      // The interval of the next poll starts at the last answer, whenever it came.
      const pollsAfterASecond = async () => {
        await page.clock.fastForward(1_000);
        return polls();
      };
      await expect.poll(pollsAfterASecond, { intervals: [50] }).toBeGreaterThanOrEqual(count);
    }
  },
);

test('a countdown ends in failure', holds('4.pending', '4.pending-late'), async ({ page, wizard, product }) => {
  await page.clock.install();
  await wizard.openJob(await createJob(product));
  await expect(page.getByRole('timer')).toHaveText(/^1[45]:\d\d$/);
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  await expect(wizard.pill).toHaveAttribute('data-colour', 'yellow');
  // The chain's clock stops meanwhile, so the API still answers pending_payment.
  await page.clock.fastForward('16:00');
  await expect(wizard.pill).toHaveText('Transaction deadline exceeded. Job has failed.');
  await expect(wizard.pill).toHaveCSS('color', 'rgb(156, 31, 39)');
  await expect(wizard.status).toHaveText('Transaction Failed - Deadline Exceeded');
  await expect(page.getByRole('timer')).toHaveCount(0);
  await expect(page.getByText('Send nothing to this address any more')).toBeVisible();
});

test('an underpayment requests the rest only', async ({ page, wizard, product }) => {
  const job = await createJob(product);
  await wizard.openJob(job);
  await product.pay(job.paymentAddress, '0.1');
  // A poll shows it.
  await expect(page.getByText(/^0\.1 of 0\.25 HYPE received, send 0\.15 more before/)).toBeVisible({
    timeout: 25_000,
  });
  await expect(wizard.fact('Exact Amount still missing')).toContainText('0.15');
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
});

test('the payer changes the address before paying', async ({ page, wizard, product }) => {
  const job = await createJob(product);
  const own = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
  await wizard.openJob(job);
  await expect(
    page.getByText(
      'Tokens and change go to the address you pay from. Paying from an exchange? Enter your own address first.',
    ),
  ).toBeVisible();
  await page.getByText('Enter address', { exact: true }).click();
  await page.getByLabel('Your own address').fill(own);
  await page.getByRole('button', { name: 'Save Address' }).click();
  await expect(page.getByText(own)).toBeVisible();
  await expect.poll(async () => (await product.payment(job.jobId)).namedReturnAddress).toBe(own);
  await page.reload();
  await expect(page.getByText(own)).toBeVisible();
});

test('a part of the payment leaves the address open', async ({ page, wizard, product }) => {
  const own = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
  const job = await createJob(product);
  await wizard.openJob(job);
  await product.pay(job.paymentAddress, '0.1');
  await expect(page.getByText('0.1 of 0.25 HYPE received')).toBeVisible();
  await page.getByText('Enter address', { exact: true }).click();
  await page.getByLabel('Your own address').fill(own);
  await page.getByRole('button', { name: 'Save Address' }).click();
  await expect.poll(async () => (await product.payment(job.jobId)).namedReturnAddress).toBe(own);
});
