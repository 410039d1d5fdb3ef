import { routersOf } from '@maker/local-stack';
import { answerError, cutOff, holdBack, recordCalls } from './actions/api.ts';
import type { Wizard } from './actions/wizard.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

const RED = 'rgb(156, 31, 39)';

const PRESETS = [
  ['0.5', 'Light Boost', '500~830'],
  ['1', 'Moderate Boost', '1200~2000'],
  ['2', 'Strong Boost', '2600~4300'],
  ['5', 'Extended Boost', '6800~11300'],
] as const;

const cards = ({ page }: Wizard) => page.locator('label').filter({ has: page.getByRole('radio') });

test(
  'has title, preset cards and custom card',
  holds('2.amount.title', '2.amount.presets', '2.amount.custom-card', '9.amounts'),
  async ({ page, wizard }) => {
    await wizard.toAmount();
    await expect(wizard.title('amount')).toHaveText('Choose Your Boosting Budget');
    await expect(cards(wizard)).toHaveText([
      ...PRESETS.map(([amount, name, estimate]) => `${name}${amount} HYPEEstimated makers: ${estimate}`),
      'Custom AmountMinimum 0.25 HYPE',
    ]);
    for (const [amount] of PRESETS) {
      await cards(wizard)
        .filter({ hasText: `${amount} HYPE` })
        .first()
        .click();
      await expect(page.getByRole('radio', { checked: true })).toHaveAccessibleName(new RegExp(`${amount} HYPE`));
      await expect(wizard.customInput).toHaveCount(0);
    }
  },
);

test(
  'the custom input: placeholder, step 0.1, minimum message, estimate line',
  holds('2.amount.custom-input', '5.estimate', '9.amounts'),
  async ({ page, wizard }) => {
    await wizard.toAmount();
    await wizard.customCard.check();
    await expect(wizard.customInput).toHaveAttribute('placeholder', 'Enter amount (min 0.25)...');
    await expect(wizard.customInput).toHaveAttribute('inputmode', 'decimal');
    await expect(wizard.customInput).toHaveAttribute('step', '0.1');
    await wizard.customInput.press('ArrowUp');
    await expect(wizard.customInput).toHaveValue('0.25');
    await wizard.customInput.press('ArrowUp');
    await expect(wizard.customInput).toHaveValue('0.35');
    const problem = page.getByText('Minimum amount is 0.25 HYPE');
    const estimate = page.getByRole('status').getByText('Estimated makers:');
    for (const tooLittle of ['0', '0.2', '0.2499', '-1']) {
      await wizard.customInput.fill(tooLittle);
      await expect(problem).toBeVisible();
      await expect(problem).toHaveCSS('color', RED);
      await expect(estimate).toHaveCount(0);
    }
    // floor((amount * 0.7 - 0.1) / 0.0005) ~ floor((amount * 0.7 - 0.1) / 0.0003)
    for (const [amount, expected] of [
      ['0.25', '150~250'],
      ['0.3', '220~366'],
      // Rounded values of a preset card.
      ['0.5', '500~833'],
      ['0.75', '850~1416'],
      ['2', '2600~4333'],
      ['3', '4000~6666'],
      ['5', '6800~11333'],
      ['10', '13800~23000'],
      ['1000', '1399800~2333000'],
    ] as const) {
      await wizard.customInput.fill(amount);
      await expect(estimate).toHaveText(`Estimated makers: ${expected}`);
      await expect(problem).toHaveCount(0);
    }
  },
);

test('the custom input ignores entries above 1000', holds('5.amount-range', '9.amounts'), async ({ wizard }) => {
  await wizard.toAmount();
  await wizard.customCard.check();
  await wizard.customInput.pressSequentially('1000');
  await expect(wizard.customInput).toHaveValue('1000');
  await wizard.customInput.press('5');
  await expect(wizard.customInput).toHaveValue('1000');
  await wizard.customInput.fill('250');
  await wizard.customInput.press('0');
  await expect(wizard.customInput).toHaveValue('250');
  await wizard.customInput.fill('1000.1');
  await expect(wizard.customInput).toHaveValue('250');
});

for (const locale of ['en-US', 'de-DE']) {
  test.describe(`the custom input in ${locale}`, () => {
    test.use({ locale });

    test('reads a decimal comma and refuses what can mean thousands', async ({ page, wizard }) => {
      const calls = recordCalls(page, '/jobs/create');
      await wizard.toAmount();
      await wizard.customCard.check();
      await wizard.termsCheckbox.check();
      const grouped = page.getByText('Write the amount without a thousands separator, such as 0.5 or 1000');
      const unreadable = page.getByText('Write the amount as a number, such as 0.5', { exact: true });
      const estimate = page.getByRole('status').getByText('Estimated makers:');
      await wizard.customInput.pressSequentially('1,000');
      await expect(grouped).toBeVisible();
      await expect(wizard.continue).toBeDisabled();
      for (const [typed, problem] of [
        ...['1 000', '1\u00a0000', '1\u202f000', '1\u2009000', '1’000', "1'000", '1.000,5', '1,000.5'].map(
          (text) => [text, grouped] as const,
        ),
        ...['0.5 HYPE', '1e3', '0x10', '٠٫٥', '1/2', '0.5.', '$1', '1_000'].map(
          (text) => [text, text === '0.5.' ? grouped : unreadable] as const,
        ),
        ...(locale === 'de-DE' ? [['1.000', grouped] as const] : []),
      ]) {
        await wizard.customInput.fill(typed);
        await expect(problem, typed).toBeVisible();
        await expect(wizard.continue, typed).toBeDisabled();
        await wizard.customInput.fill('0.5');
        await expect(wizard.continue).toBeEnabled();
      }
      for (const halfHype of ['０，５', ' 0,5 ', '.5', ',5', '0,50', '00.5']) {
        await wizard.customInput.fill(halfHype);
        await expect(estimate, halfHype).toHaveText(/500~833$/);
      }
      await wizard.customInput.fill('1,5');
      await wizard.customInput.press('ArrowUp');
      await expect(wizard.customInput).toHaveValue('1,6');
      await wizard.customInput.press('ArrowDown');
      await wizard.customInput.press('ArrowDown');
      await expect(wizard.customInput).toHaveValue('1,4');

      await wizard.customInput.fill('1.5');
      await wizard.customInput.hover();
      for (let notch = 0; notch < 5; notch += 1) await page.mouse.wheel(0, 100);
      await wizard.customInput.press('End');
      await expect(wizard.customInput).toHaveValue('1.5');

      await wizard.customInput.fill('');
      await wizard.customInput.pressSequentially('0,5');
      await expect(estimate).toHaveText('Estimated makers: 500~833');
      await wizard.continue.click();
      await expect(wizard.title('payment')).toBeVisible();
      expect(calls.find((call) => call.method() === 'POST')?.postDataJSON()).toMatchObject({ paymentAmount: 0.5 });
    });
  });
}

test(
  'CONTINUE needs a valid amount and the ticked terms',
  holds('2.amount.terms', '5.amount-range', '5.amount-terms', '5.amount-continue'),
  async ({ page, wizard }) => {
    const calls = recordCalls(page, '/jobs/create');
    await wizard.toAmount();
    await expect(wizard.continue).toHaveText('CONTINUE');
    await expect(wizard.continue).toBeDisabled();
    await wizard.termsCheckbox.check();
    await expect(wizard.continue).toBeDisabled();
    await page.getByText('Light Boost').click();
    await expect(wizard.continue).toBeEnabled();
    await wizard.termsCheckbox.uncheck();
    await expect(wizard.continue).toBeDisabled();
    await wizard.termsCheckbox.check();
    await page.getByText('Custom Amount').click();
    await expect(wizard.continue).toBeDisabled();
    await wizard.customInput.fill('0.24');
    await expect(wizard.continue).toBeDisabled();
    await wizard.customInput.press('Enter');
    await wizard.customInput.fill('0.25');
    await expect(wizard.continue).toBeEnabled();
    expect(calls).toEqual([]);
  },
);

test(
  'the terms link keeps the input',
  holds('2.amount.terms', '2.terms.back', '6.terms-only'),
  async ({ page, wizard }) => {
    await wizard.toAmount();
    await wizard.chooseCustom('0.75');
    await page.getByRole('main').getByRole('link', { name: 'Terms of Service' }).click();
    await expect(page).toHaveURL(`${wizard.stack.shellUrl}/terms`);
    await wizard.back.click();
    await expect(wizard.title('amount')).toBeVisible();
    await expect(wizard.customInput).toHaveValue('0.75');
    await expect(wizard.termsCheckbox).toBeChecked();
  },
);

test(
  'CREATING JOB... ends at the payment step',
  holds('2.amount.continue', '3.job-request', '3.job-response', '4.created', '5.amount-continue', '7.create'),
  async ({ page, wizard }) => {
    const calls = recordCalls(page, '/jobs/create');
    const release = await holdBack(page, 'create');
    await wizard.toAmount();
    await wizard.chooseCustom('0.25');
    await wizard.continue.click();
    await expect(wizard.continue).toHaveText('CREATING JOB...');
    await expect(wizard.continue).toBeDisabled();
    await wizard.continue.click({ force: true });
    const answered = page.waitForResponse('**/jobs/create');
    await release();
    const answer = (await (await answered).json()) as Record<string, unknown>;
    expect(answer).toMatchObject({ jobId: expect.any(String), paymentAmount: 0.25 });
    expect(Date.parse(String(answer.paymentDeadline))).toBeGreaterThan(Date.now());
    await expect(wizard.title('payment')).toBeVisible();
    expect(await wizard.paymentAddress()).toBe(answer.paymentAddress);
    const posts = calls.filter((call) => call.method() === 'POST');
    expect(posts.map((call) => call.postDataJSON())).toEqual([
      { tokenAddress: wizard.stack.tokens.both, paymentAmount: 0.25 },
    ]);
  },
);

test('open lines say what the budget buys, costs and does', async ({ page, wizard }) => {
  await wizard.toAmount();
  await page.getByText('Moderate Boost').click();
  const plan = page.getByRole('region', { name: 'Plan for your budget' });
  await expect(plan.locator('p').first()).toHaveText(
    /^About [\d,]+ orders, done by (today|tomorrow|\w+ \d+) [\d:]+( [AP]M)?\.$/,
  );
  const subject = /^BOTH 0x\w{3}\.\.\.\w{2} · 1 HYPE buys about [\d.,]+ BOTH · fee 0\.3 · about 0\.\d+ comes back$/;
  await expect(page.getByText(subject)).toBeVisible();
  await expect(plan.getByText('Pace')).toBeHidden();
  await wizard.termsCheckbox.check();
  await wizard.continue.click();
  await expect(wizard.title('payment')).toBeVisible();
  await expect(page.getByText(subject)).toBeVisible();
});

test.describe('a budget of 1000 HYPE', () => {
  const asked = (wizard: Wizard) => wizard.page.getByText(/^Press CONTINUE again/);

  test('shows what the pool can use, and offers that', async ({ page, wizard }) => {
    const calls = recordCalls(page, '/jobs/create');
    await wizard.toAmount();
    await wizard.chooseCustom('1000');
    await expect(page.getByText(/^This pool can use about [\d.]+ HYPE\.$/)).toBeVisible();
    await expect(
      page.getByText(/ · 1000 HYPE buys about [\d.,]+ BOTH · fee 300 · about [\d.]+ comes back$/),
    ).toBeVisible();
    await expect(page.getByText(/^The fee, 300 HYPE, is more than the [\d.]+ HYPE that buys tokens\.$/)).toBeVisible();
    await wizard.continue.click();
    await expect(asked(wizard)).toBeVisible();
    await page.getByRole('button', { name: /^Use [\d.]+$/ }).click();
    await expect(wizard.customInput).not.toHaveValue('1000');
    await expect(page.getByText(/^This pool can use about/)).toHaveCount(0);
    await expect(asked(wizard)).toHaveCount(0);
    expect(calls).toEqual([]);
    await wizard.continue.click();
    await expect(wizard.title('payment')).toBeVisible();
  });

  test('continues after consent, also before the plan is known', async ({ page, wizard }) => {
    const calls = recordCalls(page, '/jobs/create');
    await wizard.toAmount();
    const release = await holdBack(page, 'plan');
    await wizard.chooseCustom('1000');
    await wizard.continue.click();
    await expect(wizard.continue).toHaveText('CREATING JOB...');
    await release();
    await expect(asked(wizard)).toBeVisible();
    expect(calls).toEqual([]);
    await wizard.continue.click();
    await expect(wizard.title('payment')).toBeVisible();
  });
});

test('a failed creation is logged and keeps the step', holds('8.creation'), async ({ page, wizard, faults }) => {
  faults.provoke(/\/jobs\/create$/);
  await wizard.toAmount();
  await wizard.chooseCustom('0.25');
  for (const fail of [
    () => answerError(page, 'create', 500, { error: 'E', message: 'Boom' }),
    () => cutOff(page, 'create'),
  ]) {
    await fail();
    const logged = page.waitForEvent('console', (line) => line.text().startsWith('Job creation failed'));
    await wizard.continue.click();
    expect((await logged).type()).toBe('info');
    await expect(wizard.continue).toHaveText('CONTINUE');
    await expect(wizard.continue).toBeEnabled();
    await expect(wizard.redBox).toHaveCount(0);
    await expect(page.getByText('Boom')).toHaveCount(0);
    await expect(wizard.title('amount')).toBeVisible();
  }
  await page.unrouteAll();
  await wizard.continue.click();
  await expect(wizard.title('payment')).toBeVisible();
});

test('sends a return address and refuses those that lose money', async ({ page, wizard, faults }) => {
  test.setTimeout(120_000);
  faults.provoke(/\/jobs\/create$/);
  const { payer, tokens, treasury, contracts } = wizard.stack;
  const calls = recordCalls(page, '/jobs/create');
  const form = 'A wallet address is 0x followed by 40 characters from 0-9 and a-f';
  const noKey = 'This address has no owner: anything sent to it is lost';
  const thisIs = (what: string) => `This is ${what}: anything sent to it is lost`;
  await wizard.toAmount();
  await wizard.chooseCustom('0.25');
  await page.getByText('Enter address', { exact: true }).click();
  const field = page.getByLabel('Return address (optional)');
  for (const [typed, problem] of [
    ['0x12', form],
    ['XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS', form],
    ['somebody.eth', form],
    [payer.address.slice(0, -1), form],
    [payer.address.slice(2), form],
    [`0X${payer.address.slice(2)}`, form],
    [`ethereum:${payer.address}`, form],
    [`0x${'0'.repeat(40)}`, noKey],
    [`0x${'0'.repeat(39)}1`, noKey],
    [`0x${'0'.repeat(37)}800`, noKey],
    [`0x${'0'.repeat(36)}dEaD`, noKey],
    [`0x${'22'.repeat(20)}`, noKey],
    [`0x20${'0'.repeat(37)}7`, noKey],
    [`0x${'33'.repeat(20)}`, noKey],
    [`0x${'55'.repeat(20)}`, thisIs('the contract of wrapped HYPE')],
    [treasury, thisIs("the service's own wallet")],
    [treasury.toLowerCase(), thisIs("the service's own wallet")],
    [tokens.both, thisIs("the token's own contract")],
  ] as const) {
    await field.fill(typed);
    await field.blur();
    await expect(page.getByText(problem), typed).toBeVisible();
    await expect(wizard.continue, typed).toBeDisabled();
  }
  expect(calls).toEqual([]);
  // Only the service can detect these.
  const others: readonly (readonly [string, RegExp])[] = [
    [contracts.whype, /This is the contract of wrapped HYPE/],
    ...routersOf(contracts).map((router) => [router, /This is an exchange's contract/] as const),
    [contracts.multicall3, /This address is a contract/],
  ];
  for (const [typed, problem] of others) {
    await field.fill(typed);
    await wizard.continue.click();
    await expect(page.getByText(problem), typed).toBeVisible();
    await expect(wizard.continue, typed).toBeDisabled();
  }
  await field.fill(`  ${payer.address} `);
  const created = page.waitForRequest('**/jobs/create');
  await wizard.continue.click();
  expect((await created).postDataJSON()).toEqual({
    tokenAddress: tokens.both,
    paymentAmount: 0.25,
    returnAddress: payer.address,
  });
  await expect(wizard.title('payment')).toBeVisible();
});

test('refuses a bad address, requires consent for a contract', async ({ page, wizard, faults }) => {
  faults.provoke(/\/jobs\/create$/);
  const { payer, tokens } = wizard.stack;
  await wizard.toAmount();
  await wizard.chooseCustom('0.25');
  await expect(
    page.getByText(
      'Tokens and change go to the address you pay from. Paying from an exchange? Enter your own address first.',
    ),
  ).toBeVisible();
  await page.getByText('Enter address', { exact: true }).click();
  const field = page.getByLabel('Return address (optional)');
  await field.fill('0x000000000000000000000000000000000000dEaD');
  await field.blur();
  await expect(page.getByText('This address has no owner: anything sent to it is lost')).toBeVisible();
  await expect(wizard.continue).toBeDisabled();
  const [letter = ''] = /[a-f]/.exec(payer.address.slice(2)) ?? [];
  await field.fill(payer.address.replace(letter, letter.toUpperCase()));
  await expect(page.getByText('This address has a wrong character or capital letter')).toBeVisible();
  await expect(wizard.continue).toBeDisabled();
  await field.fill(tokens.thin);
  await wizard.continue.click();
  await page.getByText('It is my contract, and I can move tokens and HYPE out of it').click();
  await wizard.continue.click();
  await expect(wizard.title('payment')).toBeVisible();
});
