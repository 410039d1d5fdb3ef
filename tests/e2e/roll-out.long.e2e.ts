import { request as ask, createServer, type Server } from 'node:http';
import { freePort } from '@maker/local-stack';
import type { Page } from '@playwright/test';
import { APPS, type DeployableSite, startDeployableSite } from './deployable-site.ts';
import { expect, test } from './fixtures.ts';

const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const VISITORS = 10;

let url: string;
let old: DeployableSite;
let next: DeployableSite;
let balancer: Server;

/** Random numbers below 1 that repeat in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test.beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  [old, next] = await Promise.all([startDeployableSite(url), startDeployableSite(url)]);
  for (const app of APPS) await next.deploy(app);
  const random = seeded(1);
  balancer = createServer((request, response) => {
    const replica = random() < 0.5 ? old : next;
    const { method, headers } = request;
    request.pipe(
      ask(replica.url + request.url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  await new Promise<void>((resolve) => balancer.listen(port, '127.0.0.1', resolve));
});

test.afterAll(async () => {
  balancer.closeAllConnections();
  balancer.close();
  await Promise.all([old.stop(), next.stop()]);
});

/** Answers the API as far as the payment step. */
async function answerApi(page: Page): Promise<void> {
  const job = { jobId: `job_${'0'.repeat(32)}`, paymentAddress: TOKEN, paymentAmount: 0.5 };
  const answers: Readonly<Record<string, object>> = {
    stats: { jobs: { active: 0 } },
    'validate-token': { isValid: true, liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false } },
    'jobs/create': { ...job, paymentDeadline: new Date(Date.now() + 900_000).toISOString() },
    [`jobs/${job.jobId}/payment`]: { status: 'pending_payment', paymentReceived: false },
  };
  await page.route('**/api/**', (route) => {
    const answer = answers[new URL(route.request().url()).pathname.replace('/api/', '')];
    return answer ? route.fulfill({ json: answer }) : route.fulfill({ status: 404, json: { message: '' } });
  });
}

test('every visitor of a roll-out reaches the payment step', async ({ browser, faults }) => {
  test.setTimeout(180_000);
  faults.provoke(/\/(remotes|assets|api)\//);
  for (let visitor = 1; visitor <= VISITORS; visitor += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await answerApi(page);
    await page.goto(url);
    await page.getByRole('button', { name: 'START' }).click();
    await page.getByPlaceholder('0x...').fill(TOKEN);
    await page.getByRole('button', { name: 'VALIDATE TOKEN' }).click();
    await page.getByText('Light Boost').click();
    await page.getByRole('checkbox', { name: /^I accept/ }).check();
    await page.getByRole('button', { name: 'CONTINUE' }).click();
    await expect(page.getByRole('heading', { name: 'Initiate Token Transfer' }), `visitor ${visitor}`).toBeVisible();
    await expect(page.getByText(TOKEN).first()).toBeVisible();
    // Styled: the card of the step has its own background.
    expect(
      await page.evaluate(() =>
        [...document.querySelectorAll('link')].every((link) => link.rel !== 'stylesheet' || link.sheet),
      ),
    ).toBe(true);
    await context.close();
  }
});

test('a page without its own script loads again', async ({ page, faults }) => {
  faults.provoke(/\/assets\//);
  let refused = 2;
  await page.route('**/assets/shell.*.js', (route) => {
    refused -= 1;
    return refused >= 0 ? route.fulfill({ status: 404 }) : route.continue();
  });
  await answerApi(page);
  await page.goto(url);
  await expect.poll(() => refused).toBeLessThan(0);
  // A click in a page that is about to load again is lost with it.
  await page.waitForLoadState();
  await page.getByRole('button', { name: 'START' }).click();
  await expect(page.getByRole('heading', { name: 'Enter Token Address' })).toBeVisible();
});

test('a page whose script is gone for good says so', async ({ page, faults }) => {
  faults.provoke(/\/assets\//);
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  await page.route('**/assets/shell.*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto(url);
  await expect(page.getByRole('alert')).toHaveText('This page could not be loaded. Reload it in a minute.', {
    timeout: 20_000,
  });
  expect(loads).toBe(6);
});
