import { resolve } from 'node:path';
import type { ServiceProgram } from '../stack/service-program.ts';
import { type RunningStack, startStack } from '../stack/start-stack.ts';
import { aborted, seconds } from './command.ts';
import { summary } from './summary.ts';

/** How a stack is run for a person in a terminal. */
export interface TerminalRun {
  signal: AbortSignal;
  keep: boolean;
  freePorts: boolean;
  /** Brings the builds up to date, telling how it goes. @throws BuildFailedError */
  build: (signal: AbortSignal) => Promise<void>;
  /** Serve the page's files as they are at each request. */
  watchSite?: boolean;
  /** What services are run from. */
  program?: ServiceProgram | undefined;
  /** Called once when all is ready. */
  whenReady?: (running: RunningStack) => void;
}

/** Builds and starts the stack, tells what is there, and stops it again when told to. @returns exit code */
export async function runUntilStopped(run: TerminalRun): Promise<number> {
  const began = Date.now();
  let lost = false;
  const end = new AbortController();
  run.signal.addEventListener('abort', () => end.abort(), { once: true });
  const running = await startStack({
    keep: run.keep,
    ports: run.freePorts ? 'free' : 'fixed',
    restartCrashed: true,
    watchSite: run.watchSite ?? false,
    program: run.program,
    build: run.build,
    webhookEndpointsFile: process.env.WEBHOOK_ENDPOINTS_FILE && resolve(process.env.WEBHOOK_ENDPOINTS_FILE),
    signal: run.signal,
    onReady: (part, milliseconds) => console.log(`✓ ${part} (${seconds(milliseconds)})`),
    notify: (line) => console.log(`! ${line}`),
    onLost: (line) => {
      console.error(`✗ ${line}`);
      lost = true;
      end.abort();
    },
  });
  console.log(`✓ ready in ${seconds(Date.now() - began)}`);
  console.log(summary(running.stack));
  run.whenReady?.(running);
  await aborted(end.signal);
  console.log('… stopping');
  await running.stop();
  console.log('✓ stopped');
  return lost ? 1 : 0;
}
