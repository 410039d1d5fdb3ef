import type { JobOrdersResponse, JobStatusResponse, Receipt } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { expect, type Page } from '@playwright/test';
import type { ProductClient } from '../../support/product-client.ts';
import type { PageFaults } from '../page-faults.ts';
import { answerError, answerPayments, changeAnswer, closeLiveChannel, holdBack } from './api.ts';
import { holdTimers } from './clock.ts';
import { createJob, paidJob, rememberJobs } from './jobs.ts';
import { answerAsChain, openVerify, receiptFile, verify } from './verify.ts';
import type { Wizard } from './wizard.ts';

/** Longest time of the shared job on a busy machine, ms. */
export const JOB_MS = 180_000;

interface Stage {
  readonly page: Page;
  readonly wizard: Wizard;
  readonly product: ProductClient;
  readonly faults: PageFaults;
}

/** A screen of the product in one of its states. */
export interface ScreenState {
  /** Name of its pictures in docs/screens. */
  readonly name: string;
  /** It needs a whole job. */
  readonly slow?: true;
  /** The page itself calls a chain, so `npm run screens` has no preview of it. */
  readonly ofChain?: true;
  /** A picture in the dark theme exists too. */
  readonly dark?: true;
  show(stage: Stage): Promise<void>;
}

const wei = (hype: string) => parseHype(hype).toString();
const FLAGS = { underpaid: false, overpaid: false, late: false };

/** Every screen and state of the product. */
export const SCREEN_STATES: readonly ScreenState[] = [
  {
    name: 'landing',
    dark: true,
    async show({ wizard }) {
      await wizard.open();
      await expect(wizard.fact('Active Bots')).toHaveText(/\d/);
    },
  },
  {
    name: 'landing-no-recent-jobs',
    async show({ page, wizard }) {
      await changeAnswer(page, 'stats', () => ({ jobs: { active: 0 } }));
      await wizard.open();
      await expect(wizard.fact('Active Bots')).toHaveText('0');
    },
  },
  {
    name: 'landing-returning-visitor',
    async show({ page, wizard, product }) {
      await rememberJobs(page.context(), [await createJob(product, 0.5), paidJob()]);
      await wizard.open();
      await expect(page.getByText('Waiting for confirmation').first()).toBeVisible();
      await page.getByText('Your recent jobs').click();
    },
  },
  {
    name: 'token',
    dark: true,
    async show({ wizard }) {
      await wizard.toToken();
    },
  },
  {
    name: 'token-validating',
    async show({ page, wizard }) {
      await holdBack(page, 'validate');
      await wizard.toToken();
      await wizard.enterToken(wizard.stack.tokens.both);
      await expect(wizard.validate).toHaveText('VALIDATING...');
    },
  },
  {
    name: 'token-validated',
    dark: true,
    async show({ page, wizard }) {
      await holdTimers(page, 1000);
      await wizard.toToken();
      await wizard.enterToken(wizard.stack.tokens.both);
      await expect(page.getByText('Token validated successfully! Proceeding...')).toBeVisible();
    },
  },
  {
    name: 'token-refused',
    async show({ wizard }) {
      await wizard.toToken();
      await wizard.enterToken(wizard.stack.tokens.honeypot);
      await expect(wizard.redBox).toBeVisible();
    },
  },
  {
    name: 'amount',
    dark: true,
    async show({ wizard }) {
      await wizard.toAmount();
    },
  },
  {
    name: 'amount-preset',
    dark: true,
    async show({ page, wizard }) {
      await wizard.toAmount();
      await page.getByText('Moderate Boost').click();
      await wizard.termsCheckbox.check();
      await expect(page.getByRole('region', { name: 'Plan for your budget' })).toBeVisible();
    },
  },
  {
    name: 'amount-below-minimum',
    async show({ page, wizard }) {
      await wizard.toAmount();
      await wizard.chooseCustom('0.1');
      await expect(page.getByText('Minimum amount is')).toBeVisible();
    },
  },
  {
    name: 'amount-custom',
    async show({ page, wizard }) {
      await wizard.toAmount();
      await wizard.chooseCustom('0.75');
      await page.getByText('Enter address', { exact: true }).click();
      await page.getByLabel('Return address (optional)').fill(wizard.stack.payer.address);
    },
  },
  {
    name: 'amount-pool-part',
    async show({ page, wizard }) {
      await wizard.toAmount();
      await wizard.chooseCustom('1000');
      await expect(page.getByText(/^This pool can use about/)).toBeVisible();
      await wizard.continue.click();
      await expect(page.getByText(/^Press CONTINUE again/)).toBeVisible();
    },
  },
  {
    name: 'amount-creating',
    async show({ page, wizard }) {
      await holdBack(page, 'create');
      await wizard.toAmount();
      await wizard.chooseCustom('0.75');
      await wizard.continue.click();
      await expect(wizard.continue).toHaveText('CREATING JOB...');
    },
  },
  {
    name: 'payment-waiting',
    dark: true,
    async show({ page, wizard, product }) {
      await wizard.openJob(await createJob(product, 0.5));
      await expect(page.getByText('Checked at')).toBeVisible();
    },
  },
  {
    name: 'payment-address-copied',
    async show({ page, wizard, product }) {
      await holdTimers(page, 2000);
      await wizard.openJob(await createJob(product, 0.5));
      await expect(page.getByText('Checked at')).toBeVisible();
      await page.getByRole('button', { name: 'Copy Address' }).click();
      await expect(page.getByText('Address copied to clipboard!')).toBeVisible();
    },
  },
  {
    name: 'payment-seen',
    async show({ page, wizard, product }) {
      await answerPayments(page, { waitingWei: wei('0.5') });
      await wizard.openJob(await createJob(product, 0.5));
      await expect(page.getByText('0.5 HYPE seen on the network')).toBeVisible();
    },
  },
  {
    name: 'payment-underpaid',
    async show({ page, wizard, product }) {
      const part = { receivedWei: wei('0.3'), startableWei: wei('0.3') };
      await answerPayments(page, { ...part, flags: { ...FLAGS, underpaid: true } });
      await wizard.openJob(await createJob(product, 0.5));
      await expect(page.getByText('0.3 of 0.5 HYPE received')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Start with 0.3 HYPE' })).toBeVisible();
    },
  },
  {
    name: 'payment-private-code',
    async show({ page, wizard, product }) {
      await wizard.openJob(await createJob(product, 0.5));
      await expect(page.getByText('Checked at')).toBeVisible();
      await page.getByText('Schedule and cancellation').click();
      await expect(page.getByRole('button', { name: 'Copy Private Code' })).toBeVisible();
    },
  },
  {
    name: 'payment-chain-unreachable',
    async show({ page, wizard, product }) {
      await answerPayments(page, { chainUnreachableSince: new Date(Date.now() - 300_000).toISOString() });
      await wizard.openJob(await createJob(product, 0.5));
      await expect(page.getByText(/^We cannot reach the chain at the moment/)).toBeVisible();
    },
  },
  {
    name: 'payment-deadline-exceeded',
    async show({ page, wizard, product }) {
      // The chain has not passed the deadline yet, so the API still answers pending_payment.
      await answerPayments(page, { paymentDeadline: new Date(Date.now() - 60_000).toISOString() });
      await wizard.openJob(await createJob(product, 0.5));
      await expect(wizard.pill).toHaveText('Transaction deadline exceeded. Job has failed.');
    },
  },
  {
    name: 'payment-late',
    async show({ page, wizard, product }) {
      const late = { status: 'payment_expired', lateWei: wei('0.5'), flags: { ...FLAGS, late: true } };
      await answerPayments(page, late);
      await wizard.openJob(await createJob(product, 0.5));
      await expect(page.getByText('arrived after the deadline')).toBeVisible();
    },
  },
  {
    name: 'payment-cancelled',
    async show({ page, wizard, product }) {
      await answerPayments(page, { status: 'cancelled' });
      await wizard.openJob(await createJob(product, 0.5));
      await expect(wizard.pill).toHaveText('Job Cancelled');
    },
  },
  {
    name: 'payment-polling-error',
    async show({ page, wizard, product, faults }) {
      faults.provoke(/\/payment$/);
      await closeLiveChannel(page);
      await answerError(page, 'payment', 500, {});
      await wizard.openJob(await createJob(product, 0.5));
      await expect(wizard.redBox).toBeVisible();
    },
  },
  {
    name: 'payment-unknown-job',
    async show({ page, wizard, product, faults }) {
      faults.provoke(/\/(payment|events)$/);
      await wizard.openJob({ ...(await createJob(product, 0.5)), jobId: `job_${'0'.repeat(32)}` });
      await expect(page.getByText(/^The service does not know this job/)).toBeVisible();
    },
  },
  {
    name: 'receipt-trading',
    dark: true,
    async show({ page, wizard }) {
      await answerTrading(page);
      await wizard.openJob(paidJob());
      await expect(page.getByRole('row').nth(1)).toBeVisible({ timeout: 40_000 });
    },
  },
  {
    name: 'receipt-paused',
    async show({ page, wizard }) {
      const now = Date.now();
      const since = new Date(now).toISOString();
      const before = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
      await answerTrading(page, {
        paused: { reason: 'gas_guardrail', since },
        nextOrderAt: undefined,
        pauses: [
          { reason: 'price_band', since: before(300), until: before(270) },
          { reason: 'thin_liquidity', since: before(50), until: before(20) },
          { reason: 'gas_guardrail', since },
        ],
        pausesInAll: 3,
      });
      await wizard.openJob(paidJob());
      await expect(page.getByText('Paused since')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Pauses' })).toBeVisible();
    },
  },
  {
    name: 'receipt-stop-asked',
    async show({ page, wizard }) {
      await answerTrading(page);
      await wizard.openJob(paidJob());
      await page.getByRole('button', { name: 'Stop this job' }).click();
      await expect(page.getByRole('button', { name: 'Stop it now' })).toBeVisible();
    },
  },
  {
    name: 'receipt-completed',
    slow: true,
    async show({ page, wizard, product }) {
      await endOfPaidJob(product);
      await wizard.openJob(paidJob());
      await expect(page.getByText(/^Done\. .* delivered, .* HYPE returned$/)).toBeVisible();
      await expect(page.getByRole('row').nth(1)).toBeVisible({ timeout: 40_000 });
    },
  },
  {
    name: 'receipt-overpaid',
    async show({ page, wizard }) {
      const overpaid = { receivedWei: wei('0.4'), flags: { ...FLAGS, overpaid: true } };
      await answerPayments(page, overpaid);
      await wizard.openJob(paidJob());
      await expect(page.getByText('0.15 HYPE more than requested')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Live receipt' })).toBeVisible();
    },
  },
  {
    name: 'verify',
    async show({ page, product }) {
      await openVerify(page, product);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify a Receipt');
    },
  },
  {
    name: 'verify-proven',
    slow: true,
    ofChain: true,
    dark: true,
    async show({ page, product }) {
      await endOfPaidJob(product);
      await openVerify(page, product);
      await answerAsChain(page, product.stack.rpcUrl);
      await verify(page, await receiptFile(product, paidJob().jobId));
      const proven = page.getByText('The chain confirms every fact of this receipt that it can show.');
      await expect(proven).toBeVisible({ timeout: JOB_MS });
    },
  },
  {
    name: 'verify-not-so',
    ofChain: true,
    async show({ page, product }) {
      await openVerify(page, product);
      const content = await receiptFile(product, paidJob().jobId);
      await verify(page, content.replace('"feePercent":30', '"feePercent":20'));
      await expect(page.getByText(/^Not confirmed: The job's wallet 0x\w+ did not sign/)).toBeVisible();
    },
  },
  {
    name: 'terms',
    dark: true,
    async show({ wizard, page }) {
      await wizard.open('/terms');
      await expect(page.getByRole('navigation', { name: 'Contents' })).toBeVisible();
    },
  },
  {
    name: 'part-unavailable',
    async show({ page, wizard, faults }) {
      faults.provoke(/\/remotes\/token\//);
      await page.route('**/remotes/token/**', (route) => route.abort('connectionrefused'));
      await wizard.open();
      await wizard.start.click();
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    },
  },
];

async function endOfPaidJob(product: ProductClient): Promise<void> {
  await product.completed(paidJob().jobId, { timeoutMs: JOB_MS });
}

/** Number of orders with which the shared job is shown as trading, whatever it has done since. */
const ORDERS_SO_FAR = 60;

/** Answers the shared job's real receipt and orders as of its first orders. */
async function answerTrading(page: Page, changes: Partial<Receipt> = {}): Promise<void> {
  await answerPayments(page, { status: 'active' });
  await changeAnswer<JobOrdersResponse>(page, 'orders', ({ orders }) => ({
    orders: orders.filter(({ number }) => number <= ORDERS_SO_FAR),
  }));
  await changeAnswer<JobStatusResponse>(page, 'status', ({ receipt, ...job }) => ({
    ...job,
    status: 'active',
    receipt: receipt && { ...receipt, ...soFar(receipt), ...changes },
  }));
}

function soFar({ depositWei, feeWei, tradedWei, tokensBought, ordersPlaced, transfers }: Receipt): Partial<Receipt> {
  const part = (whole: string) =>
    (BigInt(whole) * BigInt(ORDERS_SO_FAR)) / BigInt(Math.max(ordersPlaced, ORDERS_SO_FAR));
  const traded = part(tradedWei);
  return {
    ordersPlaced: Math.min(ordersPlaced, ORDERS_SO_FAR),
    tradedWei: traded.toString(),
    tokensBought: part(tokensBought).toString(),
    nextOrderAt: new Date().toISOString(),
    deliveredTokens: '0',
    returnedWei: '0',
    heldWei: (BigInt(depositWei) - BigInt(feeWei) - traded).toString(),
    transfers: transfers.filter(({ kind }) => kind === 'fee'),
  };
}
