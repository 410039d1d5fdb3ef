import { DEMO_TOKENS, type DemoToken } from '../chain/deploy-tokens.ts';
import { DEFAULT_STACK_DIRECTORY } from '../paths.ts';
import { type RunningStack, startStack } from '../stack/start-stack.ts';
import { assertNotRunning } from '../stack/supervisor-lock.ts';
import { APPS, buildWorkspace } from './build-workspace.ts';
import { aborted, readSwitches, runCommand, seconds } from './command.ts';

function summary({ stack }: RunningStack): string {
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

await runCommand(async ({ args, signal }) => {
  const { keep, 'free-ports': freePorts } = readSwitches(args, ['keep', 'free-ports'] as const);
  const began = Date.now();
  await assertNotRunning(DEFAULT_STACK_DIRECTORY);
  console.log('… building');
  const build = await buildWorkspace(signal, APPS);
  if (signal.aborted) return 0;
  if (build.code !== 0) {
    console.error('✗ the build failed; its errors are above');
    return 1;
  }
  console.log(`✓ built (${seconds(build.milliseconds)})`);

  let lost = false;
  const end = new AbortController();
  signal.addEventListener('abort', () => end.abort(), { once: true });
  const running = await startStack({
    keep,
    ports: freePorts ? 'free' : 'fixed',
    restartCrashed: true,
    signal,
    onReady: (part, milliseconds) => console.log(`✓ ${part} (${seconds(milliseconds)})`),
    notify: (line) => console.log(`! ${line}`),
    onLost: (line) => {
      console.error(`✗ ${line}`);
      lost = true;
      end.abort();
    },
  });
  console.log(`✓ ready in ${seconds(Date.now() - began)}`);
  console.log(summary(running));
  await aborted(end.signal);
  console.log('… stopping');
  await running.stop();
  console.log('✓ stopped');
  return lost ? 1 : 0;
});
