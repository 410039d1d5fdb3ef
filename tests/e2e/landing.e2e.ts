import type { StatsResponse } from '@maker/contracts';
import { API, answerError, changeAnswer, configure, cutOff, recordCalls } from './actions/api.ts';
import { stopClock } from './actions/clock.ts';
import { createJob, paidJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

test(
  'headline, sub-line and START',
  holds('2.landing.headline', '2.landing.start', '4.start', '6.no-login'),
  async ({ page, wizard }) => {
    await wizard.open();
    await expect(wizard.title('landing')).toHaveText('Boosted Activity. Increased Visibility.');
    await expect(page.getByText('Micro-level activity for your token')).toBeVisible();
    await expect(page.getByText('30% fee, end shown before you pay', { exact: true })).toBeVisible();
    await expect(page.getByText(/log ?in|sign ?in|connect wallet/i)).toHaveCount(0);
    await wizard.start.click();
    await expect(wizard.title('token')).toBeVisible();
  },
);

test(
  'three tiles show bots, latest job, network',
  holds('1.stats', '2.landing.tiles', '3.stats-response', '5.shortening', '7.stats'),
  async ({ wizard, product }) => {
    // The tests pay jobs for only one token.
    const job = paidJob();
    await wizard.open();
    // Beyond the edge of the API addresses are in lower case.
    const tokenAddress = job.token.tokenAddress.toLowerCase();
    await expect(wizard.fact('Latest Job')).toHaveText(`#${tokenAddress.slice(0, 5)}...${tokenAddress.slice(-2)}`);
    await expect(wizard.fact('Network')).toHaveText('HyperEVM Online');
    // Another test's job may begin or end between the page's answer and this one.
    await expect(async () => {
      await wizard.open();
      const { jobs } = await product.stats();
      await expect(wizard.fact('Active Bots')).toHaveText(String(jobs.active), { timeout: 2_000 });
    }).toPass();
  },
);

test("'No recent jobs' where there is none", holds('2.landing.tiles'), async ({ page, wizard }) => {
  await changeAnswer<StatsResponse>(page, 'stats', ({ jobs }) => ({ jobs }));
  await wizard.open();
  await expect(wizard.fact('Active Bots')).toHaveText(/^\d+$/);
  await expect(wizard.fact('Latest Job')).toHaveText('No recent jobs');
});

test(
  'stats are fetched on load, then every 30 s',
  holds('2.landing.refresh', '7.stats', '9.times'),
  async ({ page, wizard }) => {
    await page.clock.install();
    let active = 7;
    await changeAnswer<StatsResponse>(page, 'stats', (stats) => ({ ...stats, jobs: { active } }));
    const calls = recordCalls(page, '/stats');
    await wizard.open();
    await expect(wizard.fact('Active Bots')).toHaveText('7');
    await stopClock(page);
    expect(calls.length).toBe(1);
    active = 8;
    await page.clock.runFor(27_000);
    expect(calls.length).toBe(1);
    await page.clock.runFor(3_000);
    await expect.poll(() => calls.length).toBe(2);
    await page.clock.resume();
    await expect(wizard.fact('Active Bots')).toHaveText('8');
    await page.clock.fastForward(30_000);
    await expect.poll(() => calls.length).toBe(3);
  },
);

test('a failed stats call keeps old values', holds('8.stats', '7.answers'), async ({ page, wizard, faults }) => {
  faults.provoke(/\/stats$/);
  await page.clock.install();
  await changeAnswer<StatsResponse>(page, 'stats', (stats) => ({ ...stats, jobs: { active: 7 } }));
  await wizard.open();
  await expect(wizard.fact('Active Bots')).toHaveText('7');
  for (const fail of [
    () => answerError(page, 'stats', 500, { error: 'E', message: 'M' }),
    () => cutOff(page, 'stats'),
  ]) {
    await page.unroute(API.stats);
    await fail();
    const logged = page.waitForEvent('console', (line) => line.text().startsWith('The stats could not be read'));
    await page.clock.runFor(31_000);
    expect((await logged).type()).toBe('info');
    await expect(wizard.redBox).toHaveCount(0);
    await expect(wizard.fact('Active Bots')).toHaveText('7');
  }
});

test('header links open in a new tab', holds('2.header'), async ({ page, context, wizard }) => {
  await context.route(/^https:\/\/(x\.com|t\.me)/, (route) => route.fulfill({ body: 'elsewhere' }));
  const links = page.getByRole('banner').getByRole('link', { name: 'opens in a new tab' });
  await wizard.open();
  await expect(wizard.fact('Active Bots')).toBeVisible();
  await expect(links).toHaveCount(0);
  const addresses = ['https://x.com/maker', 'https://t.me/maker'] as const;
  await configure(page, { socialUrl: addresses[0], messagingUrl: addresses[1] });
  await wizard.open();
  await expect(links).toHaveText([/^X/, /^Telegram/]);
  for (const [index, address] of addresses.entries()) {
    const opened = context.waitForEvent('page');
    await links.nth(index).click();
    const tab = await opened;
    await expect(tab).toHaveURL(address);
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    await tab.close();
  }
  await expect(page).toHaveURL(`${wizard.stack.shellUrl}/`);
});

test('the footer links to the terms', holds('2.footer', '2.routes'), async ({ page, wizard }) => {
  await wizard.open();
  const footer = page.getByRole('contentinfo');
  await expect(footer).toHaveText('By continuing, you accept our Terms of Service');
  await footer.getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page).toHaveURL(`${wizard.stack.shellUrl}/terms`);
  await expect(wizard.title('terms')).toBeVisible();
});

test('lists this browser’s jobs, newest first', async ({ page, wizard, product }) => {
  const job = await createJob(product);
  await wizard.openJob(job);
  await wizard.logo.click();
  await expect(wizard.title('landing')).toBeVisible();
  const list = page.getByRole('region', { name: 'Your recent jobs' });
  await list.getByRole('heading').click();
  await expect(list.getByRole('listitem')).toHaveText([/^0\.25 HYPE for BOTH/]);
  await list.getByRole('button', { name: 'Open the job for BOTH' }).click();
  expect(await wizard.paymentAddress()).toBe(job.paymentAddress);
});
