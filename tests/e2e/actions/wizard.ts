import type { StackDescription } from '@maker/local-stack';
import type { OpenJob } from '@maker/web-kit';
import { expect, type Locator, type Page } from '@playwright/test';
import { openJobIn } from './jobs.ts';

/** Longest wait for capacity, ms. */
const ROOM_MS = 60_000;
/** Capacity that stays free for jobs that other tests pay meanwhile, HYPE. */
const SPARE_ROOM = 0.5;

/** Titles of the steps. Source: specification § 2. */
export const TITLES = {
  landing: 'Boosted Activity. Increased Visibility.',
  token: 'Enter Token Address',
  amount: 'Choose Your Boosting Budget',
  payment: 'Initiate Token Transfer',
  terms: 'Terms of Service',
} as const;

/** A step of the wizard, or the terms. */
export type Screen = keyof typeof TITLES;

/** The visitor's view and actions. */
export class Wizard {
  readonly start: Locator;
  readonly back: Locator;
  readonly logo: Locator;
  readonly tokenInput: Locator;
  readonly validate: Locator;
  readonly customCard: Locator;
  readonly customInput: Locator;
  readonly termsCheckbox: Locator;
  readonly continue: Locator;
  readonly redBox: Locator;
  readonly pill: Locator;
  readonly status: Locator;
  readonly step: Locator;

  constructor(
    readonly page: Page,
    readonly stack: StackDescription,
  ) {
    this.start = page.getByRole('button', { name: 'START', exact: true });
    this.back = page.getByRole('button', { name: 'Back', exact: true });
    this.logo = page.getByRole('banner').getByRole('button');
    this.tokenInput = page.getByPlaceholder('0x...').first();
    this.validate = page.getByRole('button', { name: /^VALIDAT/ });
    this.customCard = page.getByRole('radio', { name: 'Custom Amount' });
    this.customInput = page.getByRole('spinbutton');
    this.termsCheckbox = page.getByRole('checkbox');
    this.continue = page.getByRole('button', { name: /^(CONTINUE|CREATING)/ });
    this.redBox = page.getByRole('alert');
    this.pill = page.locator('.status-pill');
    this.status = this.fact('Status');
    this.step = page.locator('[data-step]');
  }

  /** The main heading of a screen. */
  title(screen: Screen): Locator {
    return this.page.getByRole('heading', { level: 1, name: TITLES[screen], exact: true });
  }

  /** The value of a name in a list of facts. */
  fact(name: string): Locator {
    return this.page
      .locator('dt')
      .filter({ hasText: new RegExp(`^${name}$`) })
      .locator('xpath=following-sibling::dd[1]');
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(`${this.stack.shellUrl}${path}`);
  }

  async toToken(): Promise<void> {
    await this.open();
    await this.start.click();
    await expect(this.title('token')).toBeVisible();
  }

  async enterToken(address: string): Promise<void> {
    await this.tokenInput.fill(address);
    await this.validate.click();
  }

  async toAmount(address: string = this.stack.tokens.both): Promise<void> {
    await this.toToken();
    await this.enterToken(address);
    await expect(this.title('amount')).toBeVisible();
  }

  /** Fills in the custom card and accepts the terms. */
  async chooseCustom(amount: string): Promise<void> {
    await this.customCard.check();
    await this.customInput.fill(amount);
    await this.termsCheckbox.check();
  }

  async toPayment(amount = '0.25'): Promise<void> {
    await this.roomFor(amount);
    await this.toAmount();
    await this.chooseCustom(amount);
    await this.continue.click();
    await expect(this.title('payment')).toBeVisible();
  }

  /** Waits while other tests' paid jobs have booked all capacity. */
  private async roomFor(amount: string): Promise<void> {
    const { apiUrl, apiKey, tokens } = this.stack;
    const ask = () =>
      fetch(`${apiUrl}/plan`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ tokenAddress: tokens.both, paymentAmount: Number(amount) + SPARE_ROOM }),
      });
    await expect.poll(async () => (await ask()).status, { timeout: ROOM_MS }).not.toBe(409);
  }

  /** Returns to a job, as after a reload. */
  async openJob(job: OpenJob): Promise<void> {
    await this.returnTo(job);
    await expect(this.title('payment')).toBeVisible();
  }

  /** Loads the page with an open job, without a check of what it shows. */
  async returnTo(job: OpenJob): Promise<void> {
    await openJobIn(this.page.context(), job);
    await this.open();
  }

  /** The payment address as shown. */
  async paymentAddress(): Promise<string> {
    return (await this.fact('Payment Wallet Address').textContent()) ?? '';
  }
}
