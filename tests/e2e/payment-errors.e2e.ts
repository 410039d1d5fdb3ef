import { API, answerError, closeLiveChannel, cutOff, throwAt } from './actions/api.ts';
import { createJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

test(
  'polling errors show until the next success',
  holds('2.payment.pill', '3.error-body', '7.answers', '7.network', '8.polling'),
  async ({ page, wizard, product, faults }) => {
    faults.provoke(/\/payment$/);
    await page.clock.install();
    await closeLiveChannel(page);
    await answerError(page, 'payment', 503, { error: 'Service Unavailable', message: 'Come back in a minute' });
    await wizard.openJob(await createJob(product));
    await expect(wizard.redBox).toHaveText('Come back in a minute');
    await expect(wizard.redBox).toHaveCSS('background-color', 'rgb(253, 231, 229)');
    await expect(wizard.pill).toHaveText('Waiting for confirmation');

    const nextPoll = async () => {
      await page.clock.fastForward(10_000);
    };
    for (const [fail, message] of [
      [() => answerError(page, 'payment', 500, {}), 'Failed to check transaction status'],
      [() => answerError(page, 'payment', 200, 'no answer'), 'Failed to check transaction status'],
      [() => cutOff(page, 'payment'), 'Failed to connect to the API server'],
    ] as const) {
      await page.unroute(API.payment);
      await fail();
      await nextPoll();
      await expect(wizard.redBox).toHaveText(message);
    }

    await page.unroute(API.payment);
    await nextPoll();
    await expect(wizard.redBox).toHaveCount(0);
    await expect(page.getByText('Checked at')).toBeVisible();
  },
);

test('shows a failure that polling throws', holds('8.polling'), async ({ page, wizard, product }) => {
  await closeLiveChannel(page);
  await throwAt(page, '/payment');
  await wizard.openJob(await createJob(product));
  await expect(wizard.redBox).toHaveText('Network error while checking transaction status');
});

test('an unknown job has no address', async ({ page, wizard, product, faults }) => {
  faults.provoke(/\/(payment|events)$/);
  const job = await createJob(product);
  await page.clock.install();
  await page.route(API.payment, (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(job.jobId, `job_${'0'.repeat(32)}`),
    }),
  );
  await wizard.openJob(job);
  const unknown = page.getByText(/^The service does not know this job\. Do not send/);
  await expect(unknown).toBeVisible();
  await expect(wizard.redBox).toHaveText(`No job has the id job_${'0'.repeat(32)}`);
  await expect(page.getByText(job.paymentAddress)).toHaveCount(0);
  await expect(wizard.pill).toHaveCount(0);

  await page.unroute(API.payment);
  await page.clock.fastForward(10_000);
  await expect(unknown).toHaveCount(0);
  expect(await wizard.paymentAddress()).toBe(job.paymentAddress);

  await page.route(API.payment, (route) => route.fulfill({ status: 404, json: {} }));
  await page.clock.fastForward(10_000);
  await page.getByRole('button', { name: 'Go to the start' }).click();
  await expect(wizard.title('landing')).toBeVisible();
});
