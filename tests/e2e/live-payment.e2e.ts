import { until } from '../support/until.ts';
import { API } from './actions/api.ts';
import { stopClock } from './actions/clock.ts';
import { createJob } from './actions/jobs.ts';
import { Wizard } from './actions/wizard.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

const RECEIVED = 'Transaction Received - Job Active';

/** The rule is 2 s; the rest is for a machine that runs the whole product and the tests on two cores. Below the poll's 10 s. */
const SEEN_WITHIN_MS = 6_000;

/** Confirmations after which the product counts a payment. */
const CONFIRMATIONS = 1n;
/** Part of a payment, HYPE. The page shows it, and it books no capacity. */
const PART = '0.1';
const PART_RECEIVED = /0\.1 of 0\.25 HYPE received/;
const SOON = { timeout: SEEN_WITHIN_MS };

test('paid → seen: by the live channel', holds('4.received'), async ({ page, wizard, product }) => {
  const job = await createJob(product);
  const seen = Promise.withResolvers<number>();
  await page.exposeFunction('paymentSeen', seen.resolve);
  await page.addInitScript((text) => {
    const { paymentSeen } = globalThis as unknown as { paymentSeen(at: number): void };
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.status-pill')?.textContent?.includes(text)) return;
      observer.disconnect();
      paymentSeen(Date.now());
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }, RECEIVED);
  // Polls get no answer, so the page learns of the payment from the live channel.
  await page.route(API.payment, () => undefined);
  const opened = page.waitForResponse(API.events);
  await wizard.openJob(job);
  await opened;

  const { blockNumber } = await product.pay(job.paymentAddress, '0.25');
  await until(
    'the confirming block',
    () => product.chain.getBlockNumber(),
    (head) => head >= blockNumber + CONFIRMATIONS,
    {
      everyMs: 50,
    },
  );
  const confirmedAt = Date.now();
  const afterMs = (await seen.promise) - confirmedAt;
  test.info().annotations.push({ type: 'seen after the confirmed block', description: `${afterMs} ms` });
  expect(afterMs).toBeLessThan(SEEN_WITHIN_MS);
});

test('paid → seen: by the next poll', holds('4.poll', '4.received'), async ({ page, wizard, product, faults }) => {
  faults.provoke(/\/events$/);
  await page.route(API.events, (route) => route.abort('blockedbyclient'));
  await page.clock.install();
  const job = await createJob(product);
  await wizard.openJob(job);
  await expect(page.getByText('Checked at')).toBeVisible();
  await stopClock(page);

  await product.pay(job.paymentAddress, '0.25');
  await until(
    'the payment',
    () => product.payment(job.jobId),
    ({ paymentReceived }) => paymentReceived,
  );
  await expect(wizard.pill).toHaveText('Waiting for confirmation');
  await page.clock.runFor(10_000);
  await page.clock.resume();
  await expect(wizard.pill).toHaveText(RECEIVED);
});

test('eight tabs share one live stream', async ({ context, wizard, product }) => {
  // The test loads eight pages one after another.
  test.setTimeout(150_000);
  const job = await createJob(product);
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push(request.url());
  });
  await wizard.openJob(job);
  for (let tab = 2; tab <= 8; tab += 1) {
    const other = new Wizard(await context.newPage(), product.stack);
    await other.open();
    await expect(other.pill).toHaveText('Waiting for confirmation');
  }
  expect(streams).toHaveLength(1);
  await product.pay(job.paymentAddress, PART);
  for (const tab of context.pages()) await expect(tab.getByText(PART_RECEIVED)).toBeVisible(SOON);
  expect(streams).toHaveLength(1);
});

test('the live stream moves to the visible tab', async ({ context, page, wizard, product }) => {
  const job = await createJob(product);
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push(request.url());
  });
  await wizard.openJob(job);
  await expect.poll(() => streams.length).toBe(1);
  const other = new Wizard(await context.newPage(), product.stack);
  await other.open();
  await expect(other.pill).toHaveText('Waiting for confirmation');
  expect(streams).toHaveLength(1);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => streams.length).toBe(2);
  await product.pay(job.paymentAddress, PART);
  for (const tab of context.pages()) await expect(tab.getByText(PART_RECEIVED)).toBeVisible(SOON);
  expect(streams).toHaveLength(2);
});
