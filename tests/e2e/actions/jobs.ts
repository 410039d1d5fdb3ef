import type { OpenJob } from '@maker/web-kit';
import type { BrowserContext } from '@playwright/test';
import type { ProductClient } from '../../support/product-client.ts';

/** Where the browser keeps its jobs; a stored job is plain JSON. */
const STORAGE_KEY = 'hyperevm-maker.jobs';

/** Creates a job past the page, as the wizard would keep it. @param amount in HYPE */
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

/** Makes the browser remember a job as the open one, as if the visitor had created it here. */
export async function openJobIn(context: BrowserContext, job: OpenJob): Promise<void> {
  await remember(context, { openJobId: job.jobId, jobs: [job] });
}

/** Makes the browser remember jobs, none of them open. @param jobs newest first */
export async function rememberJobs(context: BrowserContext, jobs: readonly OpenJob[]): Promise<void> {
  await remember(context, { jobs });
}

async function remember(context: BrowserContext, stored: object): Promise<void> {
  await context.addInitScript(
    ([key, value]) => {
      // Also runs in empty frames, which have no storage.
      if (location.protocol === 'about:') return;
      if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    },
    [STORAGE_KEY, JSON.stringify(stored)] as const,
  );
}

/** The job that was paid when the tests began and trades while they run; see stack.setup.ts. */
export function paidJob(): OpenJob {
  const { PAID_JOB } = process.env;
  if (!PAID_JOB) throw new Error('no job was paid before the tests: did stack.setup.ts run?');
  return JSON.parse(PAID_JOB) as OpenJob;
}
