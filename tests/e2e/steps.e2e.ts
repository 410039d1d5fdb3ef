import { recordCalls } from './actions/api.ts';
import { stopClock } from './actions/clock.ts';
import { createJob } from './actions/jobs.ts';
import { TITLES } from './actions/wizard.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

// The setting of most visitors: steps fade.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test(
  'goes to each step and Back, focusing each title',
  holds('2.order', '2.back', '4.start', '4.validated', '4.created', '4.back'),
  async ({ wizard }) => {
    await wizard.toPayment();
    await expect(wizard.title('payment')).toBeFocused();
    for (const screen of ['amount', 'token', 'landing'] as const) {
      await wizard.back.click();
      await expect(wizard.title(screen)).toBeFocused();
    }
    await expect(wizard.back).toHaveCount(0);
  },
);

test('a step fades out for 300 ms', holds('2.fade', '9.times'), async ({ page, wizard }) => {
  await page.clock.install();
  await wizard.toToken();
  await stopClock(page);
  await expect(wizard.step).toHaveCSS('transition-property', 'opacity');
  await expect(wizard.step).toHaveCSS('transition-duration', '0.3s');
  await wizard.back.click();
  await expect(wizard.step).toHaveAttribute('data-leaving');
  await page.clock.runFor(299);
  await expect(wizard.title('token')).toBeAttached();
  await page.clock.runFor(1);
  await expect(wizard.title('landing')).toBeVisible();
  await expect(wizard.title('token')).toHaveCount(0);
});

test('every change between steps fades', holds('2.fade'), async ({ page, wizard }) => {
  const faded = new Set<string>();
  await page.exposeFunction('stepFaded', (step: string) => void faded.add(step));
  await page.addInitScript(() => {
    const report = (globalThis as unknown as { stepFaded(step: string): void }).stepFaded;
    document.addEventListener('transitionstart', ({ target, propertyName }) => {
      const { step } = (target as HTMLElement).dataset;
      if (step && propertyName === 'opacity') report(step);
    });
  });
  await wizard.toPayment();
  // An element that was never painted cannot fade.
  await wizard.step.evaluate(async (step) => Promise.all(step.getAnimations().map(({ finished }) => finished)));
  await wizard.logo.click();
  await expect(wizard.title('landing')).toBeVisible();
  await expect.poll(() => [...faded]).toEqual(['landing', 'token', 'amount', 'payment']);
});

test(
  'the logo returns to landing from everywhere',
  holds('2.logo', '2.terms.back'),
  async ({ page, wizard, product }) => {
    const home = async () => {
      await wizard.logo.click();
      await expect(wizard.title('landing')).toBeVisible();
      await expect(page).toHaveURL(`${wizard.stack.shellUrl}/`);
    };
    await wizard.toToken();
    await home();
    await wizard.toAmount();
    await home();
    await wizard.open('/terms');
    await expect(wizard.title('terms')).toBeVisible();
    await home();
    await wizard.openJob(await createJob(product));
    await home();
  },
);

test("'/' is the wizard, '/terms' the terms", holds('2.routes'), async ({ page, wizard }) => {
  await wizard.open('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLES.landing);
  await wizard.open('/terms');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLES.terms);
  await expect(page).toHaveTitle(/Terms of Service/);
});

test('Back and Forward move between steps', async ({ page, wizard }) => {
  const { shellUrl, tokens } = wizard.stack;
  await wizard.toAmount();
  await wizard.customCard.check();
  await wizard.customInput.fill('0.75');
  await wizard.termsCheckbox.check();
  await page.goBack();
  await expect(wizard.title('token')).toBeVisible();
  await expect(wizard.tokenInput).toHaveValue(tokens.both);
  await page.goForward();
  await expect(wizard.title('amount')).toBeVisible();
  await expect(wizard.customInput).toHaveValue('0.75');
  await expect(wizard.termsCheckbox).toBeChecked();
  await page.goBack();
  await page.goBack();
  await expect(wizard.title('landing')).toBeVisible();
  await expect(page).toHaveURL(`${shellUrl}/`);
  await page.goForward();
  await expect(wizard.title('token')).toBeVisible();
});

test('Back from a job keeps input, CONTINUE keeps the job', async ({ page, wizard }) => {
  const { tokens, payer } = wizard.stack;
  const calls = recordCalls(page, '/jobs/create');
  await wizard.toAmount();
  await wizard.chooseCustom('0.25');
  await page.getByText('Enter address', { exact: true }).click();
  await page.getByLabel('Return address (optional)').fill(payer.address);
  await wizard.continue.click();
  await expect(wizard.title('payment')).toBeVisible();
  const address = await wizard.paymentAddress();
  await page.goBack();
  await expect(wizard.title('amount')).toBeVisible();
  await expect(wizard.customInput).toHaveValue('0.25');
  await expect(page.getByLabel('Return address (optional)')).toHaveValue(payer.address);
  await expect(wizard.termsCheckbox).toBeChecked();
  await wizard.continue.click();
  await expect(wizard.title('payment')).toBeVisible();
  expect(await wizard.paymentAddress()).toBe(address);
  expect(calls).toHaveLength(1);

  // Another budget creates another job; the first stays in the list.
  await wizard.back.click();
  await wizard.customInput.fill('0.3');
  await wizard.continue.click();
  await expect(wizard.title('payment')).toBeVisible();
  expect(await wizard.paymentAddress()).not.toBe(address);
  expect(calls).toHaveLength(2);
  for (const step of ['amount', 'token'] as const) {
    await wizard.back.click();
    await expect(wizard.title(step)).toBeVisible();
  }
  await expect(wizard.tokenInput).toHaveValue(tokens.both);
  await wizard.logo.click();
  await expect(page.getByRole('region', { name: 'Your recent jobs' })).toBeVisible();
  await wizard.start.click();
  await expect(wizard.title('token')).toBeVisible();
  await expect(wizard.tokenInput).toHaveValue('');
});

test('Back from another site returns to the last step', async ({ page, wizard }) => {
  await wizard.toAmount();
  await wizard.customCard.check();
  await wizard.customInput.fill('0.75');
  await page.goto('about:blank');
  await page.goBack();
  await expect(wizard.title('amount')).toBeVisible();
  await expect(wizard.customInput).toHaveValue('0.75');
  await page.goBack();
  await expect(wizard.title('token')).toBeVisible();
  await expect(wizard.tokenInput).toHaveValue(wizard.stack.tokens.both);
  await page.goto('about:blank');
  await page.goBack();
  await expect(wizard.title('token')).toBeVisible();
  await page.goForward();
  await page.goBack();
  await page.goBack();
  await expect(wizard.title('landing')).toBeVisible();
});

test('the history keeps no secret of a job', async ({ page, wizard }) => {
  await wizard.toPayment();
  expect(JSON.stringify(await page.evaluate(() => history.state))).not.toContain('stop_');
  await page.reload();
  await expect(wizard.title('payment')).toBeVisible();
  await page.goBack();
  await expect(wizard.title('amount')).toBeVisible();
  await page.goForward();
  await expect(wizard.title('payment')).toBeVisible();
});

test('a shared link joins no list', async ({ page, wizard, product }) => {
  const job = await createJob(product);
  await wizard.open(`/#${job.jobId}`);
  await expect(wizard.title('payment')).toBeVisible();
  await wizard.back.click();
  await expect(wizard.title('token')).toBeVisible();
  await wizard.logo.click();
  await expect(wizard.title('landing')).toBeVisible();
  await expect(page.getByText('Your recent jobs')).toHaveCount(0);
});

test('a link pasted into an open tab opens its job', async ({ page, wizard, product, faults }) => {
  faults.provoke(/\/jobs\/job_0{32}\/status$/);
  const job = await createJob(product);
  await wizard.toAmount();
  await page.goto(`${wizard.stack.shellUrl}/#${job.jobId}`);
  await expect(wizard.title('payment')).toBeVisible();
  expect(await wizard.paymentAddress()).toBe(job.paymentAddress);
  await expect(page).toHaveURL(`${wizard.stack.shellUrl}/`);
  // A link starts at the landing.
  for (const step of ['landing', 'amount'] as const) {
    await page.goBack();
    await expect(wizard.title(step)).toBeVisible();
  }
  await page.goto(`${wizard.stack.shellUrl}/#job_${'0'.repeat(32)}`);
  await expect(page.getByRole('heading', { name: 'There is no such job' })).toBeVisible();
});

test('an unknown job leads to the start', async ({ page, wizard, faults }) => {
  faults.provoke(/\/jobs\/job_0{32}\/status$/);
  // The second was truncated, the others were changed.
  for (const id of ['0'.repeat(32), 'c0ffee', `${'0'.repeat(32)}/`, `${'0'.repeat(32)}.stop_cut`, 'F'.repeat(32)]) {
    await page.goto('about:blank');
    await wizard.open(`/#job_${id}`);
    await expect(page.getByRole('heading', { name: 'There is no such job' })).toBeVisible();
    await page.getByRole('button', { name: 'Go to the start' }).click();
    await expect(wizard.title('landing')).toBeVisible();
  }
});

test('an unknown path leads to the start', async ({ page, wizard, faults }) => {
  faults.provoke(/./);
  for (const path of ['/nowhere', '/Terms', '/jobs/job_1', '/%23job_1', '/terms/more']) {
    await wizard.open(path);
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the start' }).click();
    await expect(wizard.title('landing')).toBeVisible();
  }
  await wizard.open('/terms/');
  await expect(wizard.title('terms')).toBeVisible();
});
