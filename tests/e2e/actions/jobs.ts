import type { OpenJob } from '@maker/web-kit';
import type { BrowserContext } from '@playwright/test';
import type { ProductClient } from '../../support/product-client.ts';

/** The browser's storage key for jobs; a stored job is plain JSON. */
const STORAGE_KEY = 'hyperevm-maker.jobs';

/** Creates a job without the page, as the wizard would store it. @param amount in HYPE */
export async function createJob(product: ProductClient, amount = 0.25): Promise<OpenJob> {
  const tokenAddress = product.stack.tokens.both;
  const { liquidityStatus, token } = await product.validate(tokenAddress);
  const { jobId, paymentAddress, paymentAmountWei, paymentDeadline, plan, stopSecret } = await product.createJob(
    tokenAddress,
    amount,
  );
  return {
    jobId,
    token: { tokenAddress, liquidityStatus, ...(token ? { token } : {}) },
    paymentAddress,
    paymentAmountWei,
    paymentDeadline,
    createdAt: new Date().toISOString(),
    ...(plan && { plan }),
    ...(stopSecret && { stopSecret }),
  };
}

/** Stores a job in the browser as the open one, as if the visitor had created it there. */
export async function openJobIn(context: BrowserContext, job: OpenJob): Promise<void> {
  await remember(context, { openJobId: job.jobId, jobs: [job] });
}

/** Stores jobs in the browser, none of them open. @param jobs newest first */
export async function rememberJobs(context: BrowserContext, jobs: readonly OpenJob[]): Promise<void> {
  await remember(context, { jobs });
}

async function remember(context: BrowserContext, stored: object): Promise<void> {
  await context.addInitScript(
    ([key, value]) => {
      // Empty frames also run this, and have no storage.
      if (location.protocol === 'about:') return;
      if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    },
    [STORAGE_KEY, JSON.stringify(stored)] as const,
  );
}

/** The job that stack.setup.ts paid: it trades while the tests run. */
export function paidJob(): OpenJob {
  const { PAID_JOB } = process.env;
  if (!PAID_JOB) throw new Error('no job was paid before the tests: did stack.setup.ts run?');
  return JSON.parse(PAID_JOB) as OpenJob;
}
