import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { type Effort, type Figure, median } from './figure.ts';

const MOST_SECONDS = 5;
const MOST_ROUNDS = 3;

/** Time of `npm start` until it reports that everything is ready, with everything built and downloaded. */
export async function measureStarts({ rounds }: Effort): Promise<Figure[]> {
  const seconds: number[] = [];
  for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round += 1) seconds.push(await start());
  return [
    {
      name: '`npm start`, warm',
      peer: `${MOST_SECONDS} s`,
      ratios: seconds.map((one) => one / MOST_SECONDS),
      mustReach: { atMost: 1 },
      behind: `${median(seconds).toFixed(1)} s`,
    },
  ];
}

async function start(): Promise<number> {
  const began = performance.now();
  const bootstrap = join(WORKSPACE_ROOT, 'tools', 'bootstrap.mjs');
  const started = spawn(process.execPath, [bootstrap, 'start', '--free-ports'], {
    cwd: WORKSPACE_ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines: string[] = [];
    for await (const line of createInterface({ input: started.stdout })) {
      lines.push(line);
      if (line.startsWith('✓ ready in')) return (performance.now() - began) / 1000;
    }
    throw new Error(`npm start ended before it was ready:\n${lines.join('\n')}`);
  } finally {
    await ended(started);
  }
}

async function ended(started: ChildProcess): Promise<void> {
  if (started.exitCode !== null) return;
  started.stdout?.resume();
  const exit = once(started, 'exit');
  started.kill('SIGINT');
  await exit;
}
