import type { Page } from '@playwright/test';
import { type DeployableSite, startDeployableSite } from './deployable-site.ts';
import { expect, test } from './fixtures.ts';

const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

let site: DeployableSite;

test.beforeEach(async ({ page, faults }) => {
  // The page requests files that a deployment removed.
  faults.provoke(/\/(remotes|assets)\//);
  site = await startDeployableSite();
  await page.route('**/api/stats', (route) => route.fulfill({ json: { jobs: { active: 0 } } }));
  await page.route('**/api/validate-token', (route) =>
    route.fulfill({
      json: { isValid: true, liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false } },
    }),
  );
});

test.afterEach(() => site.stop());

/** Counts the page's loads. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  return () => loads;
}

test('an old shell reloads once', async ({ page }) => {
  const loads = countLoads(page);
  await page.goto(site.url);
  await site.deploy('shell');
  await site.deploy('token');
  await page.getByRole('button', { name: 'START' }).click();
  await expect(page.getByRole('heading', { name: 'Enter Token Address' })).toBeVisible();
  expect(loads()).toBe(2);
});

test('a deployed remote restores the step', async ({ page }) => {
  const loads = countLoads(page);
  let deployed: (() => void) | undefined;
  const deployment = new Promise<void>((resolve) => {
    deployed = resolve;
  });
  // The old entry has arrived; its files are removed before the page requests them.
  await page.route('**/remotes/amount/assets/*', async (route) => {
    await deployment;
    await route.continue();
  });
  await page.goto(site.url);
  const asked = page.waitForRequest('**/remotes/amount/assets/*');
  await page.getByRole('button', { name: 'START' }).click();
  await asked;
  await site.deploy('amount');
  deployed?.();

  await page.getByPlaceholder('0x...').fill(TOKEN);
  await page.getByRole('button', { name: 'VALIDATE TOKEN' }).click();
  await expect(page.getByRole('heading', { name: 'Choose Your Boosting Budget' })).toBeVisible();
  expect(loads()).toBe(2);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Enter Token Address' })).toBeVisible();
});

test('a newer remote brings its shell', async ({ page, faults }) => {
  // Error of the old shell with a remote that it cannot serve.
  faults.awaitError(/Cannot read properties of undefined \(reading 'useState'\)/);
  const loads = countLoads(page);
  // The older of two shells runs, too old for the remote.
  await page.route('**/remotes/token/remoteEntry.js', async (route) => {
    const entry = await (await route.fetch()).text();
    const body = loads() > 1 ? entry : entry.replaceAll(/(?<=requiredVersion:")[\d.]+/g, '99.0.0');
    await route.fulfill({ body, contentType: 'text/javascript' });
  });
  await page.goto(site.url);
  await page.getByRole('button', { name: 'START' }).hover();
  await site.deploy('shell');
  await page.getByRole('button', { name: 'START' }).click();
  await expect(page.getByRole('heading', { name: 'Enter Token Address' })).toBeVisible();
  expect(loads()).toBe(2);
});

test('a failing remote causes no reload', async ({ page }) => {
  const loads = countLoads(page);
  await page.goto(site.url);
  await site.remove('token');
  await page.getByRole('button', { name: 'START' }).click();
  const retry = page.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await retry.click();
  await expect(page.getByRole('heading', { name: 'This part could not be loaded' })).toBeFocused();
  await site.restore('token');
  await retry.click();
  await expect(page.getByRole('heading', { name: 'Enter Token Address' })).toBeFocused();
  expect(loads()).toBe(1);
});

test('a broken deployment causes one reload', async ({ page }) => {
  const loads = countLoads(page);
  await page.route('**/remotes/terms/**', (route) => route.fulfill({ status: 503 }));
  await page.goto(site.url);
  await site.deploy('shell');
  await page.getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'This part could not be loaded' })).toBeFocused();
  expect(loads()).toBe(2);
});
