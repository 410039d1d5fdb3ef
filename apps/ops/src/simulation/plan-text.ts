import type { MarketFacts, TokenMetadata } from '@maker/chain';
import { estimateOrders, formatEstimate, formatHypeShort, formatUnits, type Plan, type PlanLimits } from '@maker/rules';

export interface Simulation {
  readonly depositWei: bigint;
  readonly token: TokenMetadata;
  readonly plan: Plan;
  readonly facts: MarketFacts;
  readonly limits: PlanLimits;
}

const GWEI = 1_000_000_000n;
const HOUR_MS = 3_600_000;

const percent = (bps: bigint) => `${Number(bps) / 100} %`;
const hype = (wei: bigint) => `${formatHypeShort(wei, 6)} HYPE`;
const hours = (ms: number) => `${(ms / HOUR_MS).toFixed(1)} h`;

/** Formats a plan and its assumptions for a terminal. */
export function planText({ depositWei, token, plan, facts, limits }: Simulation): string {
  const { split, orders, purchase, gas } = plan;
  const estimate = formatEstimate(estimateOrders(depositWei));
  const lines: readonly (readonly [string, string])[] = [
    [
      'budget',
      `${hype(depositWei)}: fee ${hype(split.feeWei)}, orders ${hype(split.orderBudgetWei)}, gas reserve ${hype(split.reserveWei)}`,
    ],
    [
      'orders',
      `${orders.count} of ${hype(orders.sizeWei)} (estimate ${estimate}), one every ${(orders.intervalMs / 1000).toFixed(1)} s`,
    ],
    [
      'ends',
      `after about ${hours(plan.expectedEndAtMs - plan.startAtMs)}, at the latest after ${hours(plan.latestEndAtMs - plan.startAtMs)}`,
    ],
    ['spendable', `${hype(plan.spendableWei)} of ${hype(split.orderBudgetWei)}; ${hype(plan.returnedWei)} come back`],
    [
      'tokens',
      purchase
        ? `about ${formatUnits(purchase.tokens, token.decimals)} ${token.symbol}, first from ${purchase.exchange}`
        : 'none',
    ],
    ...(purchase
      ? ([
          [
            'price impact',
            `${percent(purchase.orderImpactBps)} of one order, ${percent(purchase.impactBps)} on average, ${percent(purchase.priceRiseBps)} at the last`,
          ],
        ] as const)
      : []),
    [
      'gas',
      `${hype(gas.ordersWei)} of orders, ${hype(gas.transfersWei)} of transfers; ${hype(gas.fromBudgetWei)} of it from the order budget`,
    ],
    [
      'limits',
      `slippage ${percent(limits.slippageBps)}, an order's impact ${percent(limits.impactCapBps)}, band ${percent(limits.bandBps)}`,
    ],
    ['warnings', plan.warnings.length === 0 ? 'none' : plan.warnings.join(', ')],
  ];
  const assumed = [
    `block ${facts.block.number} with ${facts.block.gasLimit} gas every ${facts.blockTimeMs / 1000} s`,
    `gas at ${Number(facts.gasPriceWei) / Number(GWEI)} gwei`,
    `${facts.pools.length} pools: ${facts.pools.map(({ exchange }) => exchange).join(', ') || 'none'}`,
    'no other trades, no bookings by other jobs, and an unchanged gas price',
  ];
  return [
    ...lines.map(([name, text]) => `${name.padEnd(14)}${text}`),
    '',
    'It assumes:',
    ...assumed.map((text) => `- ${text}`),
    '',
    'Nothing was sent.',
  ].join('\n');
}
