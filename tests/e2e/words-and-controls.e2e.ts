import type { JobPlan } from '@maker/contracts';
import { PLAN_WARNINGS, parseHype } from '@maker/rules';
import type { Page } from '@playwright/test';
import {
  API,
  answerError,
  answerPayments,
  changeAnswer,
  closeLiveChannel,
  holdBack,
  type ShownPayment,
} from './actions/api.ts';
import { holdTimers, pollAgain } from './actions/clock.ts';
import { createJob, rememberJobs } from './actions/jobs.ts';
import type { Wizard } from './actions/wizard.ts';
import { expect, test } from './fixtures.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

/** Length of a step: words to read, controls to understand, screens to scroll. */
async function measure(page: Page): Promise<{ words: number; controls: number; screens: number }> {
  return page.getByRole('main').evaluate((main) => {
    const isShown = (element: Element) => element.checkVisibility();
    return {
      // biome-ignore lint/performance/useDomNodeTextContent: hidden text asks nothing of a visitor
      words: (main as HTMLElement).innerText.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
      controls: [...main.querySelectorAll('button, input, select, textarea')].filter(isShown).length,
      screens: document.documentElement.scrollHeight / innerHeight,
    };
  });
}

/** Headless Chromium has refused notifications; a visitor's browser asks. */
async function mayNotify(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { value: 'default' }));
}

/** Asserts limits on a desktop, and then on the phone that each test starts with. */
async function expectAtMost(page: Page, words: number, controls: number): Promise<void> {
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    const measured = await measure(page);
    expect(measured.words, `words at ${viewport.width}`).toBeLessThanOrEqual(words);
    expect(measured.controls, `controls at ${viewport.width}`).toBeLessThanOrEqual(controls);
  }
}

const wei = (hype: string) => parseHype(hype).toString();
const FLAGS = { underpaid: false, overpaid: false, late: false };

/** States of a recent job, and their labels on the landing. */
const JOB_STATES: readonly (readonly [status: string, label: string])[] = [
  ['pending_payment', 'Transaction Failed - Deadline Exceeded'],
  ['active', 'Job Active - Trading'],
  ['completed', 'Job Completed Successfully'],
  ['failed_liquidity', 'Job Failed - Insufficient Liquidity'],
  ['failed_technical', 'Job Failed - Technical Issue'],
  ['cancelled', 'Job Cancelled'],
  ['payment_expired', 'Transaction Failed - Deadline Exceeded'],
];

/** The answer before any payment. */
const NOTHING: ShownPayment = {
  receivedWei: '0',
  waitingWei: undefined,
  flags: FLAGS,
  hyperCoreWei: undefined,
  foundTokens: undefined,
  droppedWei: undefined,
  namedReturnAddress: undefined,
};

/** States that a payer may see while they wait, and a text of each. */
const WAITING: readonly (readonly [name: string, shown: ShownPayment, text: RegExp])[] = [
  ['nothing has come', {}, /^Tokens and change go to the address you pay from/],
  ['money is seen', { waitingWei: wei('0.25') }, /0\.25 HYPE seen on the network/],
  [
    'a part is missing',
    { receivedWei: wei('0.1'), flags: { ...FLAGS, underpaid: true } },
    /0\.1 of 0\.25 HYPE received/,
  ],
  ['HYPE is on HyperCore', { hyperCoreWei: wei('0.25') }, /^0\.25 HYPE arrived on HyperCore/],
  [
    'tokens are at the address',
    { foundTokens: [{ tokenAddress: `0x${'55'.repeat(20)}`, amount: wei('0.25'), symbol: 'WHYPE', decimals: 18 }] },
    /^0\.25 WHYPE arrived here/,
  ],
  [
    'a part is missing and a part is seen',
    { receivedWei: wei('0.1'), waitingWei: wei('0.05'), flags: { ...FLAGS, underpaid: true } },
    /0\.05 HYPE seen on the network/,
  ],
  ['a block was taken back', { droppedWei: wei('0.25') }, /^The network removed a block/],
  [
    'everything went wrong',
    {
      receivedWei: wei('0.1'),
      flags: { ...FLAGS, underpaid: true },
      hyperCoreWei: wei('0.123456789'),
      foundTokens: [
        { tokenAddress: `0x${'55'.repeat(20)}`, amount: wei('0.123456789'), symbol: 'WHYPE', decimals: 18 },
        { tokenAddress: `0x${'66'.repeat(20)}`, amount: wei('12345.678901'), symbol: 'LONGNAMEDTOKEN', decimals: 18 },
      ],
    },
    /^0\.123456789 WHYPE and/,
  ],
  ['an address is named', { namedReturnAddress: `0x${'ab'.repeat(20)}` }, /^0xabab/i],
];

const SUMMARY = /^About .* orders, done by /;
const PART: Partial<JobPlan> = { spendableWei: wei('0.61234'), warnings: ['pool_takes_only_part'] };

/** Changes every plan of the page. */
const planned = (page: Page, change: Partial<JobPlan>) =>
  changeAnswer<JobPlan>(page, 'plan', (plan) => ({ ...plan, ...change }));

async function choosePreset(page: Page, name: string): Promise<void> {
  await page.getByText(name).click();
}

/** Waits until the page shows the plan of the current choice. */
async function planShown(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'Plan for your budget' })).toHaveAttribute('aria-busy', 'false');
  await expect(page.getByText(SUMMARY)).toBeVisible();
}

/** Presses CONTINUE for a budget of which only a part can be used; the page asks for consent. */
async function beAsked(page: Page, wizard: Wizard): Promise<void> {
  await planShown(page);
  await expect(page.getByText(/^This (pool can use|token accepts) about/)).toBeVisible();
  await wizard.continue.click();
  await expect(page.getByText(/Press CONTINUE again/)).toBeVisible();
}

/** Choices of a visitor, each after the one before it. */
const CHOSEN: readonly (readonly [name: string, choose: (page: Page, wizard: Wizard) => Promise<void>])[] = [
  [
    'a preset',
    async (page) => {
      await choosePreset(page, 'Moderate Boost');
      await planShown(page);
    },
  ],
  [
    'a custom amount',
    async (page, wizard) => {
      await wizard.chooseCustom('123.45');
      await expect(page.getByText('Estimated makers:').last()).toBeVisible();
      await planShown(page);
    },
  ],
  [
    'too small an amount',
    async (page, wizard) => {
      await wizard.chooseCustom('0.1');
      await expect(page.getByText('Minimum amount is')).toBeVisible();
    },
  ],
  [
    'an ambiguous amount',
    async (page, wizard) => {
      await wizard.chooseCustom('1,000');
      await expect(page.getByText(/thousands separator/)).toBeVisible();
    },
  ],
  [
    'a partial custom amount',
    async (page, wizard) => {
      await wizard.chooseCustom('1000');
      await beAsked(page, wizard);
    },
  ],
  [
    'a partial preset',
    async (page, wizard) => {
      await planned(page, PART);
      await choosePreset(page, 'Extended Boost');
      await beAsked(page, wizard);
    },
  ],
  [
    'a token that limits holdings',
    async (page, wizard) => {
      await planned(page, { ...PART, tokenTakesWei: wei('0.41234'), warnings: [...PLAN_WARNINGS] });
      await choosePreset(page, 'Strong Boost');
      await beAsked(page, wizard);
    },
  ],
  [
    'every warning but a partial budget',
    async (page) => {
      const isPart = ['pool_takes_only_part', 'token_limits_holdings'];
      await planned(page, { warnings: PLAN_WARNINGS.filter((warning) => !isPart.includes(warning)) });
      await choosePreset(page, 'Extended Boost');
      await planShown(page);
    },
  ],
  [
    'an amount that the service refuses',
    async (page) => {
      const message = 'The bot is full: a job of this budget is not taken now. Try again later, or a smaller budget';
      await answerError(page, 'plan', 422, { error: 'E', message });
      await choosePreset(page, 'Strong Boost');
      await expect(page.getByText(message)).toBeVisible();
    },
  ],
  [
    'a job under way',
    async (page, wizard) => {
      await holdBack(page, 'create');
      await choosePreset(page, 'Extended Boost');
      await planShown(page);
      await wizard.continue.click();
      await expect(wizard.continue).toHaveText('CREATING JOB...');
    },
  ],
];

test.use({ viewport: PHONE });

test('landing and token step are short', async ({ page, wizard }) => {
  await wizard.open();
  await expectAtMost(page, 90, 1);
  await wizard.start.click();
  await expect(wizard.title('token')).toBeVisible();
  await expectAtMost(page, 60, 3);
});

test('the token step is short while it validates', async ({ page, wizard }) => {
  await holdTimers(page, 1000);
  const release = await holdBack(page, 'validate');
  await wizard.toToken();
  await wizard.enterToken(wizard.stack.tokens.both);
  await expect(wizard.validate).toHaveText('VALIDATING...');
  await expectAtMost(page, 60, 3);
  await release();
  await expect(page.getByText('Token validated successfully! Proceeding...')).toBeVisible();
  await expectAtMost(page, 60, 3);
});

test('the token step is short when it refuses', async ({ page, wizard, faults }) => {
  faults.provoke(/\/validate-token$/);
  await wizard.toToken();
  await wizard.enterToken(wizard.stack.tokens.honeypot);
  await expect(wizard.redBox).toBeVisible();
  await expectAtMost(page, 60, 3);
  await answerError(page, 'validate', 500, { error: 'E', message: 'Failed', requestId: 'abc-123' });
  await wizard.validate.click();
  await expect(wizard.redBox).toHaveText('Failed');
  await expectAtMost(page, 60, 3);
});

test('the landing is short for a returning visitor', async ({ page, wizard, product }) => {
  await wizard.openJob(await createJob(product, 0.5));
  await wizard.logo.click();
  await expect(page.getByRole('region', { name: 'Your recent jobs' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your recent jobs' })).toContainText('Waiting for confirmation');
  await expectAtMost(page, 90, 1);
});

test('the landing is short with jobs in every state', async ({ page, wizard, product }) => {
  const job = await createJob(product, 1.25);
  const id = (index: number) => `job_${String(index).padStart(32, '0')}`;
  const jobs = JOB_STATES.map((_, index) => ({ ...job, jobId: id(index) }));
  let first = 0;
  await page.route(API.payment, async (route) => {
    const index = Number(/job_(\d+)/.exec(route.request().url())?.[1]);
    const [status] = JOB_STATES[(index + first) % JOB_STATES.length] ?? [];
    await route.fulfill({ json: { status, paymentReceived: false, paymentDeadline: job.createdAt } });
  });
  // A landing without a latest job has more words.
  await changeAnswer(page, 'stats', () => ({ jobs: { active: 0 } }));
  await rememberJobs(page.context(), jobs);
  const list = page.getByRole('region', { name: 'Your recent jobs' });
  for (first = 0; first < JOB_STATES.length; first += 1) {
    await wizard.open();
    await expect(list.getByText(JOB_STATES[first]?.[1] ?? '').first()).toBeVisible();
    await expect(wizard.fact('Latest Job')).toHaveText('No recent jobs');
    await expectAtMost(page, 90, 1);
  }
  await list.getByRole('heading').click();
  await expect(list.getByRole('button', { name: 'Open the job for BOTH' }).last()).toBeVisible();
  await expect(list.getByRole('listitem').getByText(/^(Job|Transaction) /)).toHaveCount(5);
});

test('the amount step is short for each choice', async ({ page, wizard, faults }) => {
  faults.provoke(/\/plan$/);
  await wizard.toAmount();
  await wizard.termsCheckbox.check();
  for (const [name, choose] of CHOSEN) {
    await test.step(name, async () => {
      await page.unrouteAll();
      await choose(page, wizard);
      // The specification has eight with a preset. A custom amount adds its field, and a button offers another budget.
      const field = await wizard.customInput.count();
      const offer = await page.getByRole('button', { name: /^Use / }).count();
      await expectAtMost(page, 150, 8 + field + offer);
    });
  }
});

test('the payment step is short in each waiting state', async ({ page, wizard, product }) => {
  await mayNotify(page);
  const shown: ShownPayment = {};
  await answerPayments(page, shown);
  await page.clock.install();
  await wizard.openJob(await createJob(product));
  for (const [name, state, text] of WAITING) {
    await test.step(name, async () => {
      Object.assign(shown, NOTHING, state);
      await pollAgain(page);
      await expect(wizard.pill).toHaveText('Waiting for confirmation');
      await expect(page.getByText(text)).toBeVisible();
      await expect(page.getByText('Schedule and cancellation')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Notify me' })).toBeVisible();
      await expectAtMost(page, 180, 4);
      expect((await measure(page)).screens).toBeLessThanOrEqual(1.6);
      for (const button of ['Copy Amount', 'Copy Address']) {
        const copy = page.getByRole('button', { name: button });
        // For a payment that is already seen, the page offers no copying.
        if (button === 'Copy Amount' && state.waitingWei === wei('0.25')) await expect(copy).toHaveCount(0);
        else await expect(copy).toBeInViewport({ ratio: 1 });
      }
    });
  }
});

test('the payment step is short on a shared link', async ({ page, wizard, product }) => {
  await mayNotify(page);
  const { stopSecret: _, ...shared } = await createJob(product);
  await wizard.openJob(shared);
  await expect(page.getByText(/^Tokens and change go to .* Do not pay from an exchange/)).toBeVisible();
  await expect(page.getByText('Enter address')).toHaveCount(0);
  await expectAtMost(page, 180, 4);
  expect((await measure(page)).screens).toBeLessThanOrEqual(1.6);
});

test('the payment step is short while polls fail', async ({ page, wizard, product, faults }) => {
  faults.provoke(/\/payment$/);
  await mayNotify(page);
  const job = await createJob(product);
  await closeLiveChannel(page);
  await answerError(page, 'payment', 500, {});
  await wizard.openJob(job);
  await expect(wizard.redBox).toBeVisible();
  await expectAtMost(page, 180, 4);
  expect((await measure(page)).screens).toBeLessThanOrEqual(1.6);
});
