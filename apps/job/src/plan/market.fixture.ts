import type { JobPlan, MarketFactsMessage } from '@maker/contracts';
import { MAXIMUM_PAYMENT_WEI, NO_PACE, sampleAmounts, smaller, WEI_PER_HYPE } from '@maker/rules';
import { parseConfiguration } from '@maker/service-kit';
import { jobEnvironment } from '../configuration.ts';
import { makePlan, type PlanTerms, planTerms, publishedPlan } from './make-plan.ts';

/** Account key of the public mnemonic 'test test … junk'. */
export const TEST_XPUB =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';

/** A market of one pool on the curve `x × y = k`, with as many tokens as HYPE. @param depthHype HYPE side */
export function marketFixture(depthHype = 3000n, differences: Partial<MarketFactsMessage> = {}): MarketFactsMessage {
  const reserve = depthHype * WEI_PER_HYPE;
  const samples = sampleAmounts(smaller(reserve, MAXIMUM_PAYMENT_WEI)).map((inWei) => {
    const counted = inWei * 997n;
    return { inWei: inWei.toString(), tokens: ((counted * reserve) / (reserve * 1000n + counted)).toString() };
  });
  return {
    block: { number: 7, at: '2026-01-01T00:00:00.000Z' },
    gasPriceWei: '100000000',
    deliveryGas: '65000',
    blockGas: '3000000',
    blockTimeMs: 1000,
    token: { symbol: 'DEMO', decimals: 18 },
    pools: [{ exchange: 'hyperswap-v2', orderGas: '133000', samples }],
    ...differences,
  };
}

/** The default terms, with changes by environment variables. */
export function termsFixture(environment: Record<string, string> = {}): PlanTerms {
  const required = {
    OPS_PORT: '0',
    MONGO_URL: 'mongodb://m/job',
    NATS_URL: 'nats://n',
    JOB_ACCOUNT_XPUB: TEST_XPUB,
    JOB_AGREEMENT_KEY_FILE: '/run/agreement/key',
    JOB_AGREEMENT_SIGNERS: `0x${'2'.repeat(40)}`,
    CHAIN_ID: '31337',
  };
  return planTerms(parseConfiguration(jobEnvironment, { ...required, ...environment }));
}

/** The plan of a job in {@link marketFixture}. */
export function planFixture(depositWei: bigint): JobPlan {
  const [terms, market] = [termsFixture(), marketFixture()];
  const plan = publishedPlan(terms, makePlan(terms, { depositWei, startAtMs: 0, market, booked: NO_PACE }), market);
  if (!plan) throw new Error('the fixture buys nothing');
  return plan;
}
