import { resolve } from 'node:path';
import { DEMO_TOKENS, type DemoToken } from '../chain/deploy-tokens.ts';
import type { StackDescription } from '../stack/description.ts';
import type { StackOptions } from '../stack/stack-options.ts';
import { type RunningStack, startStack } from '../stack/start-stack.ts';
import { aborted, readSwitches, seconds } from './command.ts';

export interface TerminalRun extends Pick<StackOptions, 'watchSite' | 'program'> {
  args: string[];
  signal: AbortSignal;
  /** Brings the builds up to date and prints its progress. @throws BuildFailedError */
  build: (signal: AbortSignal) => Promise<void>;
  whenReady?: (running: RunningStack) => void;
}

/** Builds and starts the stack, prints a summary, and stops it on the signal. @returns exit code @throws UsageError */
export async function runUntilStopped(run: TerminalRun): Promise<number> {
  const { keep, 'free-ports': freePorts } = readSwitches(run.args, ['keep', 'free-ports']);
  const began = performance.now();
  const lost = new AbortController();
  const running = await startStack({
    keep,
    ports: freePorts ? 'free' : 'fixed',
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
      lost.abort();
    },
  });
  console.log(`✓ ready in ${seconds(performance.now() - began)}`);
  console.log(summary(running.stack));
  run.whenReady?.(running);
  await aborted(AbortSignal.any([run.signal, lost.signal]));
  console.log('… stopping');
  await running.stop();
  console.log('✓ stopped');
  return lost.signal.aborted ? 1 : 0;
}

/** The addresses, tokens and commands that a developer needs for a running stack. */
function summary(stack: StackDescription): string {
  const tokens = (Object.keys(DEMO_TOKENS) as DemoToken[]).map(
    (name) => `  ${stack.tokens[name]}  ${name.padEnd(9)} ${DEMO_TOKENS[name]}`,
  );
  return [
    '',
    `Open ${stack.shellUrl}`,
    '',
    'Tokens to try:',
    ...tokens,
    '',
    'Pay a job:  npm run pay -- <payment address> <hype>     (in another terminal)',
    'Logs:       .stack/logs',
    'Stop:       Ctrl-C',
    '',
  ].join('\n');
}
