import { setTimeout as delay } from 'node:timers/promises';
import { formatHype, parseHype } from '@maker/rules';
import { createLogger, loadConfiguration, MetricsRegistry, OpsServer, Readiness } from '@maker/service-kit';
import { CanaryMetrics } from './canary.metrics.ts';
import { type CanaryConfiguration, type CanarySecrets, canaryEnvironment, readSecrets } from './configuration.ts';
import { PayerWallet } from './product/payer-wallet.ts';
import { ProductApi } from './product/product-api.ts';
import { type RoundReport, runRound } from './run-round/run-round.ts';
import { wholePayment, wholeRoundKey, wholeRoundsADay } from './whole-rounds.ts';

/** Payment of a small round: too little for its job, so the product returns it less gas. */
const SMALL_PAYMENT_WEI = parseHype('0.002');

const ROUND_MS = 60_000;

/** Time for which `/metrics` shows the result before the program ends: longer than two scrapes are apart. */
const SHOWN_MS = 65_000;

/**
 * Runs one round of the canary and serves its metrics until Prometheus has scraped them.
 * @returns the round; its log line is the program's only output
 */
export async function runCanary(): Promise<RoundReport> {
  const configuration = loadConfiguration(canaryEnvironment);
  const secrets = await readSecrets(configuration);
  const registry = new MetricsRegistry();
  const metrics = new CanaryMetrics(registry);
  const readiness = new Readiness();
  readiness.started();
  const ops = new OpsServer(readiness, registry);
  await ops.listen(configuration.OPS_PORT, configuration.LISTEN_HOST);
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Instead of the program's immediate exit: the round first stops its job.
    process.removeAllListeners(signal).on(signal, () => ended.abort());
  }
  const report = await runRound(
    {
      api: new ProductApi(configuration.CANARY_API_URL, secrets.apiKey),
      wallet: new PayerWallet(configuration.CHAIN_ID, configuration.CHAIN_RPC_URLS, secrets.privateKey),
      tokenAddress: configuration.CANARY_TOKEN_ADDRESS,
      ...payments(configuration, secrets),
    },
    ROUND_MS,
    ended.signal,
  );
  metrics.show(report, Date.now());
  log(createLogger('canary', configuration.LOG_LEVEL), report);
  // The result is not pushed: the process stays until Prometheus has scraped it.
  await delay(SHOWN_MS, undefined, { signal: ended.signal }).catch(() => {});
  await ops.close();
  return report;
}

function payments(
  { MINIMUM_PAYMENT_HYPE, CANARY_DAILY_FEE_HYPE, CANARY_TOKEN_ADDRESS }: CanaryConfiguration,
  { privateKey }: CanarySecrets,
) {
  const wholePaymentWei = wholePayment(MINIMUM_PAYMENT_HYPE);
  const roundsADay = wholeRoundsADay(CANARY_DAILY_FEE_HYPE, wholePaymentWei);
  const wholeKey = wholeRoundKey(privateKey, Date.now(), roundsADay, CANARY_TOKEN_ADDRESS, wholePaymentWei);
  return { wholeKey, wholePaymentWei, smallPaymentWei: SMALL_PAYMENT_WEI };
}

function log(
  logger: ReturnType<typeof createLogger>,
  { kind, jobId, failure, tookMs, ordersPlaced, feeWei, otherCostWei, balanceWei }: RoundReport,
): void {
  const stepSeconds = Object.fromEntries([...tookMs].map(([step, ms]) => [step, Math.round(ms) / 1000]));
  const balanceHype = balanceWei === undefined ? undefined : formatHype(balanceWei);
  const round = { round: kind, jobId, stepSeconds, ordersPlaced, balanceHype };
  if (failure) {
    logger.error({ ...round, step: failure.step, reason: failure.message }, 'canary round failed');
    return;
  }
  const cost = { feeHype: formatHype(feeWei), otherCostHype: formatHype(otherCostWei) };
  const isOrdered = ordersPlaced > 0;
  logger[isOrdered ? 'warn' : 'info'](
    { ...round, ...cost },
    isOrdered ? 'canary round succeeded, its job placed orders before the stop' : 'canary round succeeded',
  );
}
