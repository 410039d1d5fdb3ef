import { DEMO_TOKENS, type DemoToken } from '../chain/deploy-tokens.ts';
import type { StackDescription } from '../stack/description.ts';

/** What a person needs to know of a stack that is ready. */
export function summary(stack: StackDescription): string {
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
