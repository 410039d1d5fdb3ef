import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientConfigurationSchema } from '@maker/contracts';
import { freePort } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { shellBuild } from '@maker/web-kit/build';
import { type Browser, chromium } from '@playwright/test';
import { type Configuration, rspack } from '@rspack/core';
import { findChromium } from '../../tools/chromium.ts';
import { serveSite } from '../support/site-server.ts';
import { type Effort, type Figure, median } from './figure.ts';

/** Lighthouse's slow 4G: round trip in ms, bytes per second. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const PROCESSOR_SLOWDOWN = 4;

/** The largest paint is final after this time without another paint, ms. */
const SETTLED_MS = 1_000;

const APPS = join(WORKSPACE_ROOT, 'apps');

interface Site {
  url: string;
  stop(): Promise<void>;
}

async function startSite(appsDirectory: string): Promise<Site> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const configuration = clientConfigurationSchema.parse({ apiBaseUrl: url, apiKey: 'key', botWalletAddress: '0x0' });
  const running = await serveSite({ configuration, appsDirectory }, port);
  return { url, stop: () => running.stop() };
}

/** Builds the shell with its remotes as chunks, into a separate folder of apps. */
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

/**
 * Cost of federation for the first paint. Compares the built landing with the same pre-rendered page whose steps are chunks of
 * the shell. Chromium with a 4× slower processor and slow 4G, the two in turns.
 */
export async function measureLandingPaint({ rounds }: Effort): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-landing-'));
  const sites: Site[] = [];
  let browser: Browser | undefined;
  try {
    await buildWithoutFederation(folder);
    const without = await startSite(folder);
    sites.push(without);
    const federated = await startSite(APPS);
    sites.push(federated);
    browser = await chromium.launch({
      executablePath: await findChromium('whole', () => console.log('… installing Chromium')),
      args: ['--no-sandbox', '--disable-background-networking'],
    });
    const pairs: [number, number][] = [];
    for (let run = 0; run < 2 * rounds + 1; run += 1) {
      const other = await largestPaint(browser, without.url);
      pairs.push([await largestPaint(browser, federated.url), other]);
    }
    const middle = (side: 0 | 1) => Math.round(median(pairs.map((pair) => pair[side])));
    return [
      {
        name: 'largest paint of the landing, 4× slower processor, slow 4G',
        peer: 'the same page, pre-rendered alike, without federation',
        ratios: pairs.map(([own, other]) => own / other),
        mustReach: { atMost: 1.05 },
        behind: `${middle(0)} of ${middle(1)} ms`,
      },
    ];
  } finally {
    await browser?.close();
    await Promise.all(sites.map((site) => site.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}
