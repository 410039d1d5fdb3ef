import { HYPEREVM_CLOCK } from '@maker/local-stack';
import { type FaultyNetwork, reachThrough } from '../../../support/faulty-network.ts';
import { startOwnStack } from '../../../support/own-stack.ts';
import { ProductClient } from '../../../support/product-client.ts';
import { startShownSite } from '../shown-site.ts';
import { type Fault, faults, type Server } from './faults.ts';

const VISIT_EVERY_MS = 1000;
/** For the job that trades during all faults. */
const WINDOW_SECONDS = 7200;
const PAID_HYPE = 0.25;

/** A running stack, with functions that break it. */
export interface BrokenStack {
  /** Its namespace in Prometheus. */
  readonly namespace: string;
  readonly faults: readonly Fault[];
  /** Address of the metrics by service. */
  readonly targets: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts it: a paid job trades, and visitors load pages. */
export async function startBrokenStack(namespace: string): Promise<BrokenStack> {
  const networks = new Map<Server, FaultyNetwork>();
  const running = await startOwnStack(
    WINDOW_SECONDS,
    { 'api-gateway': { RATE_LIMIT_REQUESTS: '1000000' } },
    {},
    {
      clock: HYPEREVM_CLOCK,
      reach: reachThrough(networks),
    },
  );
  const product = new ProductClient(running.stack);
  const { jobId, paymentAddress } = await product.createJob(running.stack.tokens.both, PAID_HYPE);
  await product.pay(paymentAddress, String(PAID_HYPE));
  const site = await startShownSite();
  const endVisits = startVisits(product, jobId);
  return {
    namespace,
    faults: faults(running, networks, site),
    targets: { ...running.stack.ops, site: site.target },
    async stop() {
      endVisits();
      await site.stop();
      await running.stop();
      for (const network of networks.values()) await network.stop();
    },
  };
}

/** Requests a page as visitors do, and ignores failures: the alerts must report them. */
function startVisits(product: ProductClient, jobId: string): () => void {
  const { both } = product.stack.tokens;
  const timer = setInterval(() => {
    for (const asked of [
      product.call('GET', `/jobs/${jobId}/status`),
      product.call('POST', '/validate-token', { tokenAddress: both }),
    ])
      asked.catch(() => undefined);
  }, VISIT_EVERY_MS);
  return () => clearInterval(timer);
}
