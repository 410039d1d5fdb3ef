/**
 * Measures the time until an edit is visible: of a remote in the browser, of a service in its answer, of a rule in its test.
 * `npm run bench:editing` edits files of the checkout and restores them; `-- remote rule` measures only these two, which need no stack.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { StackDescription } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { type Browser, chromium } from '@playwright/test';
import { findChromium } from '../../tools/chromium.ts';
import { until } from '../support/until.ts';

const TIMES = 5;
const START_MS = 300_000;

/** An edit, and where it becomes visible. */
interface Edit {
  readonly of: string;
  readonly file: string;
  readonly line: string;
  readonly edited: string;
  /** Our target (CONTRIBUTING.md). */
  readonly withinMs: number;
  /** Whether the edited file is visible, or the old one. */
  seen(edited: boolean): Promise<boolean>;
}

const children: ChildProcess[] = [];

/** Starts a program of the workspace and waits for a line of its output. @returns the lines after it */
async function startUntil(command: string, args: readonly string[], line: RegExp): Promise<string[]> {
  const child = spawn(command, args, { cwd: WORKSPACE_ROOT, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  children.push(child);
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (text) => {
      lines.push(text);
      if (line.test(text)) ready.resolve();
    });
  }
  child.once('exit', (code) =>
    ready.reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${lines.slice(-20).join('\n')}`)),
  );
  await Promise.race([
    ready.promise,
    wait(START_MS).then(() => Promise.reject(new Error(`${command}: no ${line} within ${START_MS / 1000} s`))),
  ]);
  lines.length = 0;
  return lines;
}

async function secondsUntil(seen: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  await until('an edit', seen, Boolean, { everyMs: 20 });
  return (performance.now() - began) / 1000;
}

/** @returns each time, s */
async function measure({ file, line, edited, seen }: Edit): Promise<number[]> {
  const path = join(WORKSPACE_ROOT, file);
  const before = await readFile(path, 'utf8');
  if (!before.includes(line)) throw new Error(`${file} lacks '${line}'`);
  const figures: number[] = [];
  try {
    for (let time = 0; time < TIMES; time++) {
      await writeFile(path, before.replace(line, edited));
      figures.push(await secondsUntil(() => seen(true)));
      await writeFile(path, before);
      await secondsUntil(() => seen(false));
    }
  } finally {
    await writeFile(path, before);
  }
  return figures.sort((one, other) => one - other);
}

/** The edit of a page in its preview without a stack. */
async function ofRemote(browser: Browser): Promise<Edit> {
  await startUntil('npm', ['run', 'screens'], /shell compiled/);
  const page = await browser.newPage();
  await page.goto('http://localhost:4290/terms');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Go to the start').waitFor();
  return {
    of: 'a remote, in the browser',
    file: 'apps/terms/src/page.tsx',
    line: 'Go to the start',
    edited: 'To the edited page',
    withinMs: 2000,
    seen: (edited) => button(edited ? 'To the edited page' : 'Go to the start').isVisible(),
  };
}

async function ofService(): Promise<Edit> {
  await startUntil('npm', ['run', 'dev', '--', '--free-ports'], /Watching the sources/);
  const { apiUrl } = JSON.parse(
    await readFile(join(WORKSPACE_ROOT, '.stack', 'stack.json'), 'utf8'),
  ) as StackDescription;
  return {
    of: 'a service, in its answer',
    file: 'apps/api-gateway/src/errors/error-body.ts',
    line: 'Nothing is at this path',
    edited: 'Nothing was edited at this path',
    withinMs: 3000,
    async seen(edited) {
      const answer = await fetch(`${apiUrl}/nowhere`).then(
        (response) => response.text(),
        // The service restarts.
        () => '',
      );
      return answer.includes(edited ? 'Nothing was edited' : 'Nothing is at');
    },
  };
}

async function ofRule(): Promise<Edit> {
  const watched = ['watch', '--project', 'unit', 'libs/rules/src/fees'];
  const lines = await startUntil('node_modules/.bin/vitest', watched, /Waiting for file changes/);
  return {
    of: 'a rule, in its test',
    file: 'libs/rules/src/fees.ts',
    line: '1125n',
    edited: '1135n',
    withinMs: 2000,
    async seen(edited) {
      const isThere = lines.some((text) => (edited ? /Tests .*failed/ : /Tests .*passed/).test(text));
      if (isThere) lines.length = 0;
      return isThere;
    },
  };
}

const PARTS = { remote: ofRemote, rule: ofRule, service: ofService };
const wanted = process.argv.slice(2);
const parts = Object.entries(PARTS).filter(([name]) => wanted.length === 0 || wanted.includes(name));
if (parts.length === 0) throw new Error(`There are: ${Object.keys(PARTS).join(', ')}`);
const executablePath = await findChromium('whole', () => console.log('… installing Chromium'));
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  for (const [, begin] of parts) {
    const edit = await begin(browser);
    const load = loadavg()[0]?.toFixed(1);
    const figures = await measure(edit);
    const median = figures[Math.floor(figures.length / 2)] ?? Number.NaN;
    const isReached = median * 1000 <= edit.withinMs;
    const range = `${figures[0]?.toFixed(2)} to ${figures.at(-1)?.toFixed(2)}, load ${load}`;
    console.log(
      `${isReached ? '✓' : '✗'} a line of ${edit.of}: ${median.toFixed(2)} s (${range}), at most ${edit.withinMs / 1000} s`,
    );
    if (!isReached) process.exitCode = 1;
    stopChildren();
  }
} finally {
  stopChildren();
  await browser.close();
}

/** Stops each program with its children. */
function stopChildren(): void {
  for (const { pid, exitCode } of children.splice(0)) if (pid && exitCode === null) process.kill(-pid, 'SIGTERM');
}
