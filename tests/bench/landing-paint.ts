/**
 * What federation costs the first paint: the built landing against the same page, pre-rendered alike, whose steps are
 * mere chunks of the shell. Chromium with a 4× slower processor and slow 4G, the two in turns. Prints medians; exits 1 when
 * the largest paint takes more than 1.15 times as long with federation. `npm run bench:landing-paint`
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientConfigurationSchema } from '@maker/contracts';
import { freePort, WORKSPACE_ROOT } from '@maker/local-stack';
import { shellBuild } from '@maker/web-kit/build';
import { type Browser, chromium } from '@playwright/test';
import { type Configuration, rspack } from '@rspack/core';
import { findChromium } from '../../tools/chromium.ts';
import { serveSite } from '../support/site-server.ts';

const ALLOWED_RATIO = 1.15;
const RUNS = 11;

/** Slow 4G as Lighthouse has it: ms of round trip, bytes per second. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const PROCESSOR_SLOWDOWN = 4;

/** The largest paint is settled when nothing has been drawn for this long, ms. */
const SETTLED_MS = 1_000;

const APPS = join(WORKSPACE_ROOT, 'apps');

interface Site {
  name: string;
  url: string;
  paints: number[];
  stop(): Promise<void>;
}

async function startSite(name: string, appsDirectory: string): Promise<Site> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const configuration = clientConfigurationSchema.parse({ apiBaseUrl: url, apiKey: 'key', botWalletAddress: '0x0' });
  const running = await serveSite({ configuration, appsDirectory }, port);
  return { name, url, paints: [], stop: () => running.stop() };
}

/** Builds the shell with its remotes as chunks into a folder of apps of its own. */
async function buildWithoutFederation(folder: string): Promise<void> {
  await cp(APPS, folder, {
    recursive: true,
    filter: (source) => !/\/(?:src|node_modules)$/.test(source) && (source === APPS || !/\.(?:map|ts)$/.test(source)),
  });
  const shell = join(APPS, 'shell');
  const replacement = join(import.meta.dirname, 'without-federation.js');
  for (const configuration of shellBuild(shell)) {
    await build({
      ...configuration,
      output: { ...configuration.output, path: configuration.output?.path?.replace(APPS, folder) ?? folder },
      plugins: [
        ...(configuration.plugins ?? []),
        new rspack.NormalModuleReplacementPlugin(/\/federation-host\.ts$/, replacement),
      ],
    });
  }
}

function build(configuration: Configuration): Promise<void> {
  return new Promise((resolve, reject) => {
    rspack(configuration, (error, stats) => {
      if (error) reject(error);
      else if (stats?.hasErrors()) reject(new Error(stats.toString('errors-only')));
      else resolve();
    });
  });
}

async function largestPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWDOWN });
  await page.goto(url, { waitUntil: 'networkidle' });
  const paint = await page.evaluate(
    (settled) =>
      new Promise<number>((resolve) => {
        let last = 0;
        let timer = setTimeout(() => resolve(last), settled);
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) last = Math.max(last, entry.startTime);
          clearTimeout(timer);
          timer = setTimeout(() => resolve(last), settled);
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
    SETTLED_MS,
  );
  await context.close();
  return paint;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const folder = await mkdtemp(join(tmpdir(), 'maker-landing-'));
const sites: Site[] = [];
try {
  await buildWithoutFederation(folder);
  sites.push(await startSite('without federation', folder), await startSite('with federation', APPS));
  const browser = await chromium.launch({
    executablePath: await findChromium(() => console.log('… installing Chromium')),
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  for (let run = 0; run < RUNS; run += 1) {
    for (const site of sites) site.paints.push(await largestPaint(browser, site.url));
  }
  await browser.close();
  for (const { name, paints } of sites) console.log(`${name}: largest paint ${Math.round(median(paints))} ms`);
  const [without = Number.NaN, withFederation = Number.NaN] = sites.map(({ paints }) => median(paints));
  const ratio = withFederation / without;
  console.log(`ratio ${ratio.toFixed(2)}, allowed ${ALLOWED_RATIO} (medians of ${RUNS}, 4× slower processor, slow 4G)`);
  if (!(ratio <= ALLOWED_RATIO)) process.exitCode = 1;
} finally {
  await Promise.all(sites.map((site) => site.stop()));
  await rm(folder, { recursive: true, force: true });
}
