import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { installPackages } from '@maker/local-stack/command';
import { chromium, type Page, type Route } from '@playwright/test';
import { findChromium } from '../../../tools/chromium.ts';
import type { Drawing } from './board-answers.ts';
import type { DrawnBoard } from './drawn-panels.ts';

/** Grafana's packages and the page that uses them, with a separate lockfile: only these pictures need them. */
const FOLDER = join(import.meta.dirname, 'pictures');
const ORIGIN = 'http://boards.test';
const WIDTH = 1424;
/** Heights in Grafana's grid, in pixels. */
const CELL = 38;
const HEADER = 64;
const DRAWN_MS = 60_000;
const LOADERS = { '.svg': 'dataurl', '.ttf': 'empty' };
/** Grafana's font files of Inter, by weight. */
const FONTS: Readonly<Record<string, number>> = { 'Inter-Regular': 400, 'Inter-Medium': 500 };

/** Renders boards as Grafana does. */
export interface Studio {
  /** @returns errors of the page */
  draw(drawing: Drawing, mode: 'dark' | 'light', file: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Installs Grafana's packages if they are missing, and starts Chromium. */
export async function openStudio(): Promise<Studio> {
  await installOnce();
  const app = await bundle();
  const executablePath = await findChromium('shell', () => console.log('… installing Chromium'));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return {
    async draw(drawing, mode, file) {
      const page = await browser.newPage({ viewport: { width: WIDTH, height: heightOf(drawing.board) } });
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      page.on(
        'console',
        (message) => message.type() === 'error' && errors.push(`${message.text()} ${message.location().url}`),
      );
      await page.route('**', (route) => serve(route, drawing, mode, app));
      await page.goto(`${ORIGIN}/`);
      await drawn(page).catch((error: unknown) => errors.push(String(error)));
      await mkdir(dirname(file), { recursive: true });
      await page.screenshot({ path: file, fullPage: true });
      await page.close();
      return [...new Set(errors)];
    },
    close: () => browser.close(),
  };
}

/** Grafana renders no table rows below the visible area. */
const heightOf = ({ json }: DrawnBoard): number => {
  const { panels } = json as { panels: { gridPos: { y: number; h: number } }[] };
  return HEADER + CELL * Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
};

/** Waits for plots, and for icons, which load separately. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.title === 'drawn', undefined, { timeout: DRAWN_MS });
  await page.waitForFunction(
    () => [...document.querySelectorAll('svg')].every(({ childElementCount }) => childElementCount > 0),
    undefined,
    { timeout: DRAWN_MS },
  );
}

async function installOnce(): Promise<void> {
  const lockfile = await readFile(join(FOLDER, 'package-lock.json'));
  const hash = createHash('sha256').update(lockfile).digest('hex');
  const mark = join(FOLDER, 'node_modules', '.installed');
  if (existsSync(mark) && (await readFile(mark, 'utf8')) === hash) return;
  console.log("… installing Grafana's packages");
  await installPackages(FOLDER);
  await writeFile(mark, hash);
}

/** @returns files of the page by name */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const { build } = createRequire(join(FOLDER, 'package.json'))('esbuild') as {
    build(options: object): Promise<{ outputFiles: { path: string; text: string }[] }>;
  };
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, 'page.tsx')],
    bundle: true,
    minify: true,
    format: 'esm',
    outdir: FOLDER,
    write: false,
    loader: LOADERS,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return new Map(outputFiles.map(({ path, text }) => [extname(path), text]));
}

async function serve(route: Route, drawing: Drawing, mode: string, app: ReadonlyMap<string, string>): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const [, font = ''] = /^\/public\/fonts\/inter\/([\w-]+)\.woff2$/.exec(pathname) ?? [];
  const [, icon] = /^\/public\/build\/(img\/icons\/[\w./-]+\.svg)$/.exec(pathname) ?? [];
  if (icon) await route.fulfill({ path: join(FOLDER, 'node_modules/@grafana/ui/dist/public', icon) });
  else if (FONTS[font])
    await route.fulfill({
      path: join(FOLDER, `node_modules/@fontsource/inter/files/inter-latin-${FONTS[font]}-normal.woff2`),
    });
  else if (pathname === '/page.js') await route.fulfill({ contentType: 'text/javascript', body: app.get('.js') ?? '' });
  else if (pathname === '/page.css') await route.fulfill({ contentType: 'text/css', body: app.get('.css') ?? '' });
  else if (pathname === '/') await route.fulfill({ contentType: 'text/html', body: htmlOf(drawing, mode) });
  else await route.fulfill({ status: 404 });
}

function htmlOf({ board, ...drawing }: Drawing, mode: string): string {
  const handed = JSON.stringify({ ...drawing, board: board.json, mode }).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"></head>
<body style="margin: 0">
<div id="root"></div>
<script>window.DRAWING = ${handed}; window.grafanaBootData = { settings: {}, user: {} }; window.__grafana_public_path__ = '/public/';</script>
<script type="module" src="/page.js"></script>
</body>
</html>`;
}
