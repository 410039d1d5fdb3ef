import type { StackDescription } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { MetricsRegistry, OpsServer, Readiness } from '@maker/service-kit';
import type { Hex } from 'viem';
import { CanaryMetrics } from '../../../apps/ops/src/canary/canary.metrics.ts';
import { PayerWallet } from '../../../apps/ops/src/canary/product/payer-wallet.ts';
import { ProductApi } from '../../../apps/ops/src/canary/product/product-api.ts';
import { type RoundReport, runRound } from '../../../apps/ops/src/canary/run-round/run-round.ts';

const ROUND_MS = 120_000;

/** The canary's parts in this process: rounds in sequence, all exposed on one page as a pod exposes its own. */
export class ShownCanary {
  private constructor(
    private readonly stack: StackDescription,
    private readonly metrics: CanaryMetrics,
    private readonly ops: OpsServer,
    /** Address of the page. */
    readonly target: string,
  ) {}

  static async start(stack: StackDescription): Promise<ShownCanary> {
    const registry = new MetricsRegistry();
    const ops = new OpsServer(new Readiness(), registry);
    const port = await ops.listen(0, '127.0.0.1');
    return new ShownCanary(stack, new CanaryMetrics(registry), ops, `http://127.0.0.1:${port}`);
  }

  /** @param wholeKey of a round that pays for its job; without it the round is small */
  async round(tokenAddress: string, wholeKey?: string): Promise<RoundReport> {
    const { apiUrl, apiKey, chainId, rpcUrl, payer } = this.stack;
    const beginning = {
      api: new ProductApi(apiUrl, apiKey),
      wallet: new PayerWallet(chainId, [rpcUrl], payer.privateKey as Hex),
      tokenAddress,
      wholeKey,
      wholePaymentWei: parseHype('0.25'),
      smallPaymentWei: parseHype('0.002'),
    };
    const report = await runRound(beginning, ROUND_MS, new AbortController().signal);
    this.metrics.show(report, Date.now());
    return report;
  }

  stop(): Promise<void> {
    return this.ops.close();
  }
}
