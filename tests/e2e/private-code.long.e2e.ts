import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { findChromium } from '../../tools/chromium.ts';
import { createJob, openJobIn } from './actions/jobs.ts';
import { Wizard } from './actions/wizard.ts';
import { expect, test } from './fixtures.ts';

/** Where pages keep what they store: the browser that created a job, or where its code was entered, has the code there. */
const STORAGE = /^(?:Local|Session) Storage\//;

/** Starts the whole browser with a profile on disk, as visitors have it. */
async function start(profile: string): Promise<BrowserContext> {
  const executablePath = await findChromium('whole', () => undefined);
  return chromium.launchPersistentContext(profile, { executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Files of a profile that contain a text, in UTF-8 or UTF-16. */
async function filesWith(profile: string, text: string): Promise<readonly string[]> {
  const folder = join(profile, 'Default');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const hasText = bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'));
    const name = relative(folder, path);
    if (hasText && !STORAGE.test(name)) found.push(name);
  }
  return found;
}

test('no file of the browser’s history has the private code', async ({ product }) => {
  const profile = await mkdtemp(join(tmpdir(), 'maker-profile-'));
  const job = await createJob(product);
  const code = job.stopSecret ?? '';
  expect(code).toMatch(/^stop_/);
  try {
    // First the payer's own browser, then another device where the payer enters the code.
    for (const isOwn of [true, false]) {
      let context = await start(profile);
      if (isOwn) await openJobIn(context, job);
      let page = await context.newPage();
      await page.goto(`${product.stack.shellUrl}/#${job.jobId}`);
      await expect(new Wizard(page, product.stack).pill).toHaveText('Waiting for confirmation');
      await page.getByText(/^Schedule and /).click();
      if (!isOwn) {
        await page.getByLabel('Private code').fill(code);
        await page.getByRole('button', { name: 'Use Private Code' }).click();
      }
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download Private Code' }).click();
      expect(await readFile(await (await download).path(), 'utf8')).toContain(code);
      await context.close();

      context = await start(profile);
      page = await context.newPage();
      await page.goto(product.stack.shellUrl);
      await context.close();
      expect(await filesWith(profile, job.jobId), 'the history keeps the link').toContain('History');
      expect(await filesWith(profile, code)).toEqual([]);
      await rm(profile, { recursive: true });
    }
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
});
