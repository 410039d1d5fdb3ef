import type { ValidateTokenResponse } from '@maker/contracts';
import { answerError, changeAnswer, cutOff, holdBack, recordCalls, throwAt } from './actions/api.ts';
import { stopClock } from './actions/clock.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

const SHORT = 'Please enter a valid token address';
const MALFORMED = 'Invalid token address format. Must be 42 characters starting with 0x';

test('has title, input and a disabled button', holds('2.token.form', '2.token.button'), async ({ page, wizard }) => {
  await wizard.toToken();
  await expect(wizard.title('token')).toHaveText('Enter Token Address');
  await expect(page.getByRole('textbox')).toHaveAttribute('placeholder', '0x...');
  await expect(wizard.validate).toHaveText('VALIDATE TOKEN');
  await expect(wizard.validate).toBeDisabled();
  await wizard.tokenInput.fill('0');
  await expect(wizard.validate).toBeEnabled();
  await wizard.tokenInput.fill('');
  await expect(wizard.validate).toBeDisabled();
});

test(
  'addresses that never reach the server',
  holds('2.token.errors', '5.token-short', '5.token-form', '8.short', '8.form', '9.address'),
  async ({ page, wizard }) => {
    const calls = recordCalls(page, '/validate-token');
    const valid = wizard.stack.tokens.both;
    await wizard.toToken();
    for (const [typed, message] of [
      ['0x1', SHORT],
      [valid.slice(0, 19), SHORT],
      [valid.slice(0, 20), MALFORMED],
      [valid.slice(0, 41), MALFORMED],
      [`${valid}0`, MALFORMED],
      [`1x${valid.slice(2)}`, MALFORMED],
    ] as const) {
      await wizard.enterToken(typed);
      await expect(wizard.redBox).toHaveText(message);
      await wizard.tokenInput.fill('');
      await expect(wizard.redBox).toHaveCount(0);
    }
    await wizard.enterToken('0x1');
    await expect(wizard.redBox).toHaveCSS('color', 'rgb(156, 31, 39)');
    await expect(wizard.redBox).toHaveCSS('background-color', 'rgb(253, 231, 229)');
    expect(calls).toEqual([]);
  },
);

test(
  'VALIDATING..., green check, then the amount step',
  holds(
    '2.token.button',
    '2.token.success',
    '2.token.advance',
    '3.validation-request',
    '3.validation-response',
    '4.validated',
    '5.token-server',
    '7.validate',
    '9.times',
  ),
  async ({ page, wizard, product }) => {
    const { both } = wizard.stack.tokens;
    const { liquidityStatus } = await product.validate(both);
    await page.clock.install();
    const calls = recordCalls(page, '/validate-token');
    const release = await holdBack(page, 'validate');
    await wizard.toToken();
    await wizard.enterToken(both);
    await expect(wizard.validate).toHaveText('VALIDATING...');
    await expect(wizard.validate).toBeDisabled();
    await stopClock(page);
    await release();

    const title = page.getByText('Token validated successfully! Proceeding...', { exact: true });
    await expect(title).toBeVisible();
    await expect(title.locator('svg')).toHaveCSS('color', 'rgb(7, 97, 58)');
    await expect(wizard.fact('Exchange')).toHaveText((liquidityStatus.selectedDex ?? '').toUpperCase());
    await expect(wizard.fact('Exchange')).toHaveText(/^UNISWAP-V[23]$/);
    await expect(wizard.fact('V2 Liquidity')).toHaveText(/^[\d,]+(\.\d+)? HYPE$/);
    await expect(wizard.fact('V3 Liquidity')).toHaveText(/^[\d,]+(\.\d+)? HYPE$/);
    expect(calls.map((call) => call.postDataJSON())).toEqual([{ tokenAddress: both }]);

    await page.clock.runFor(999);
    await expect(wizard.step).toHaveAttribute('data-step', 'token');
    await expect(wizard.step).not.toHaveAttribute('data-leaving');
    await page.clock.runFor(1);
    await expect(wizard.step).toHaveAttribute('data-leaving');
    await page.clock.runFor(300);
    await expect(wizard.title('amount')).toBeVisible();
  },
);

test("'Auto-selected' and 'Available' replace missing values", holds('2.token.success'), async ({ page, wizard }) => {
  await page.clock.install();
  await changeAnswer<ValidateTokenResponse>(page, 'validate', (answer) => ({
    ...answer,
    liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: true },
  }));
  await wizard.toToken();
  await stopClock(page);
  await wizard.enterToken(wizard.stack.tokens.both);
  await expect(wizard.fact('Exchange')).toHaveText('Auto-selected');
  await expect(wizard.fact('V2 Liquidity')).toHaveText('Available');
  await expect(wizard.fact('V3 Liquidity')).toHaveText('Available');
});

test(
  'a refused token shows the server’s message',
  holds('2.token.errors', '4.validated', '5.token-server', '8.liquidity'),
  async ({ wizard, product }) => {
    await wizard.toToken();
    for (const token of ['thin', 'taxed', 'unpaired', 'honeypot'] as const) {
      const address = wizard.stack.tokens[token];
      const { isValid, errorMessage } = await product.validate(address);
      expect(isValid).toBe(false);
      await wizard.enterToken(address);
      await expect(wizard.redBox).toHaveText(errorMessage ?? '');
      await wizard.tokenInput.fill('');
    }
    await expect(wizard.title('token')).toBeVisible();
  },
);

test('without a message of the server: not enough liquidity', holds('8.liquidity'), async ({ page, wizard }) => {
  let answer = { isValid: false, meetsMinimum: true };
  await changeAnswer<ValidateTokenResponse>(page, 'validate', ({ liquidityStatus, checkedAtBlock }) => ({
    isValid: answer.isValid,
    liquidityStatus: { ...liquidityStatus, meetsMinimum: answer.meetsMinimum },
    checkedAtBlock,
  }));
  await wizard.toToken();
  for (answer of [
    { isValid: false, meetsMinimum: true },
    { isValid: true, meetsMinimum: false },
  ]) {
    await wizard.enterToken(wizard.stack.tokens.both);
    await expect(wizard.redBox).toHaveText('Token does not meet minimum liquidity requirements');
    await wizard.tokenInput.fill('');
  }
});

test(
  'an error reply shows its message, or failed validation',
  holds('3.error-body', '7.answers', '8.validation-error'),
  async ({ page, wizard, faults }) => {
    faults.provoke(/\/validate-token$/);
    await wizard.toToken();
    // It has the right length but is no hexadecimal number: the server refuses it.
    await wizard.enterToken(`0x${'z'.repeat(40)}`);
    await expect(wizard.redBox).toHaveText(MALFORMED);
    await expect(page.getByText('Reference')).toHaveText(/^Reference [0-9a-f]{32}$/);
    await answerError(page, 'validate', 503, { error: 'Service Unavailable', message: 'Come back in a minute' });
    await wizard.enterToken(wizard.stack.tokens.both);
    await expect(wizard.redBox).toHaveText('Come back in a minute');
    await expect(page.getByText('Reference')).toHaveCount(0);
    // Without a message, of another shape, or of no shape.
    for (const [status, body] of [
      [500, {}],
      [200, {}],
      [200, 'no answer'],
    ] as const) {
      await answerError(page, 'validate', status, body);
      await wizard.tokenInput.fill('');
      await wizard.enterToken(wizard.stack.tokens.both);
      await expect(wizard.redBox).toHaveText('Failed to validate token');
    }
  },
);

test('no network: the server is unreachable', holds('7.network'), async ({ page, wizard, faults }) => {
  faults.provoke(/\/validate-token$/);
  await wizard.toToken();
  await cutOff(page, 'validate');
  await wizard.enterToken(wizard.stack.tokens.both);
  await expect(wizard.redBox).toHaveText('Failed to connect to the API server');
  await expect(wizard.validate).toBeEnabled();
  await page.unrouteAll();
  await wizard.enterToken(wizard.stack.tokens.both);
  await expect(wizard.title('amount')).toBeVisible();
});

test('shows a failure that validation throws', holds('8.validation-thrown'), async ({ page, wizard }) => {
  await throwAt(page, '/validate-token');
  await wizard.toToken();
  await wizard.enterToken(wizard.stack.tokens.both);
  await expect(wizard.redBox).toHaveText('Network error. Please check your connection and try again.');
});
