import { parseHype, STANDARD_ORDER_WEI } from '@maker/rules';
import { expect, it } from 'vitest';
import { GAS_USED } from '../fake-chain.fixture.ts';
import { signedReceiptSchema } from '../file/receipt-file.ts';
import { ACCOMPLICE as OTHER, PAYER, STRANGER, TOKEN, WALLET } from '../parties.fixture.ts';
import { transferCall, transferLog } from '../purchases.fixture.ts';
import { depositOf, type JobReport, SimulatedExecutor, type SimulatedJob } from '../simulated-executor.fixture.ts';
import { verifyReceipt } from './verify-receipt.ts';

const GAS_WEI = GAS_USED * 1_000_000_000n;

/** Runs an honest job with a change. */
function running(change: (executor: SimulatedExecutor) => void, job: Partial<SimulatedJob> = {}): JobReport {
  const executor = new SimulatedExecutor({ orderCount: 6, ...job });
  change(executor);
  return executor.run();
}
function claim(executor: SimulatedExecutor, change: Partial<JobReport['receipt']>): void {
  const report = executor.report.bind(executor);
  executor.report = () => {
    const { receipt, facts } = report();
    return { receipt: { ...receipt, ...change }, facts };
  };
}

it.each<[ending: string, unknown: readonly RegExp[], honest: () => JobReport]>([
  ['completed', [], () => running(() => undefined, { paidWei: parseHype('0.1463'), slotMs: 14_400_000 })],
  ['early by its payer', [], () => running(() => undefined)],
  ['cancelled before its first order', [], () => running(() => undefined, { orderCount: 0 })],
  [
    'with a treasury that was changed since',
    [/is the treasury of the service/],
    () =>
      running((executor) =>
        Object.assign(executor, { payFee: () => executor.send('fee', OTHER, executor.split.feeWei) }),
      ),
  ],
  [
    'to a return address that the payer named',
    [],
    () =>
      running((executor) => {
        Object.assign(executor.job, { returnAddress: OTHER });
        const deliver = executor.deliver.bind(executor);
        executor.deliver = () => deliver(OTHER);
        const returning = executor.returnRest.bind(executor);
        executor.returnRest = () => returning(OTHER);
        claim(executor, { returnAddress: OTHER });
      }),
  ],
  [
    'with refused HYPE that two operators released to another address',
    [/Whether 0xb{40} belongs to the payer/, /Whether 0x(0e){20} belongs to the payer: it received 0 tokens and/],
    () =>
      running((executor) => {
        // The delivery went to the return address on record, which refused HYPE and was replaced by the release.
        const deliver = executor.deliver.bind(executor);
        executor.deliver = () => deliver(STRANGER);
        const returning = executor.returnRest.bind(executor);
        executor.returnRest = () => {
          executor.send('return', STRANGER, 0n, { succeeded: false, valueWei: 1n });
          Object.assign(executor.transfers.at(-1) ?? {}, { succeeded: false, amount: '0' });
          executor.chain.seconds += 30 * 86_400;
          returning(OTHER);
        };
        claim(executor, { returnAddress: OTHER, releasedAt: '2027-02-14T00:00:00.000Z' });
      }),
  ],
  [
    'with HYPE held, because the return address refuses it',
    [/had to stay in the wallet/],
    () =>
      running((executor) => {
        executor.returnRest = () => undefined;
        claim(executor, { heldReason: 'the return address takes no HYPE' });
      }),
  ],
  [
    'paid by a contract',
    [/Who sent 0\.25 HYPE/],
    () =>
      running((executor) => {
        Object.assign(executor.job, { returnAddress: PAYER, payer: null });
        executor.isPaid = () => {
          executor.chain.paid(OTHER, executor.job.paidWei);
          executor.deposits.push({
            kind: 'untraced',
            transactionHash: null,
            blockNumber: null,
            from: null,
            amountWei: `${executor.job.paidWei}`,
            pays: true,
          });
        };
        executor.refund = () => undefined;
        claim(executor, { payer: null });
      }),
  ],
  [
    'with a second payment that goes back',
    [],
    () =>
      running((executor) => {
        const paid = executor.isPaid.bind(executor);
        executor.isPaid = () => {
          paid();
          executor.deposits.push(depositOf(executor.chain.paid(PAYER, parseHype('5')), false));
        };
        const refund = executor.refund.bind(executor);
        executor.refund = () => {
          refund();
          executor.send('refund', PAYER, parseHype('5') - GAS_WEI);
        };
      }),
  ],
  [
    'with a refund that reverted once',
    [],
    () =>
      running((executor) => {
        executor.refund = () => {
          executor.send('refund', STRANGER, 1n, { succeeded: false });
          Object.assign(executor.transfers.at(-1) ?? {}, { succeeded: false, amount: '0' });
          executor.send('refund', STRANGER, executor.job.lateWei - 2n * GAS_WEI);
        };
      }),
  ],
  [
    "with a stranger's money that came while the rest was sent",
    [/0xb{40} for no order did not go back there/],
    () => running((executor) => Object.assign(executor, { refund: () => undefined })),
  ],
  [
    'with gas that an operator sent for the delivery',
    [/0x(0e){20} for no order did not go back there/],
    () =>
      running((executor) => {
        const deliver = executor.deliver.bind(executor);
        executor.deliver = () => {
          executor.deposits.push(depositOf(executor.chain.paid(OTHER, parseHype('0.006')), false));
          deliver();
        };
      }),
  ],
  [
    'with a token that keeps a part of each transfer',
    [],
    () =>
      running(
        (executor) => {
          const plan = executor.planOrder.bind(executor);
          const place = executor.placeOrder.bind(executor);
          executor.placeOrder = (number) => {
            place(number);
            const order = executor.orders.at(-1);
            const fact = [...executor.chain.transactions.values()].at(-1);
            if (!order || !fact) return;
            const half = plan(number).received / 2n;
            executor.chain.tokens -= BigInt(order.receivedTokens) - half;
            const [sale] = fact.logs;
            Object.assign(fact, { logs: [sale, transferLog(executor.planOrder(number).pool, WALLET, half)] });
            Object.assign(order, { receivedTokens: `${half}`, priceX96: `${(STANDARD_ORDER_WEI * 2n ** 96n) / half}` });
          };
          claim(executor, {
            ending: { kind: 'technical', message: 'the token keeps a part', at: '2027-01-15T09:00:00.000Z' },
          });
        },
        { orderCount: 1 },
      ),
  ],
  [
    'after a delivery that reverted',
    [],
    () =>
      running((executor) => {
        const deliver = executor.deliver.bind(executor);
        executor.deliver = () => {
          executor.send('delivery', PAYER, 0n, {
            to: TOKEN,
            input: transferCall(PAYER, executor.chain.tokens),
            succeeded: false,
          });
          Object.assign(executor.transfers.at(-1) ?? {}, { succeeded: false });
          deliver();
        };
      }),
  ],
  [
    'with orders that waited for room, and went on from there',
    [],
    () =>
      running((executor) => {
        const plan = executor.planOrder.bind(executor);
        executor.planOrder = (number) => {
          const usual = plan(number);
          const laterBy = number > 3 ? 50_000 : 0;
          return {
            ...usual,
            decidedSeconds: usual.decidedSeconds + laterBy,
            minedSeconds: usual.minedSeconds + laterBy,
          };
        };
      }),
  ],
  [
    'with an order that was mined when it nearly expired',
    [],
    () =>
      running((executor) => {
        const plan = executor.planOrder.bind(executor);
        executor.planOrder = (number) => ({
          ...plan(number),
          minedSeconds: plan(number).decidedSeconds + (number === 1 ? 120 : 1),
        });
      }),
  ],
  [
    'nearly at the guardrail',
    [],
    () =>
      running((executor) => {
        const plan = executor.planOrder.bind(executor);
        executor.planOrder = (number) => ({ ...plan(number), gasPriceWei: 10_000_000_000n });
      }),
  ],
  ['not yet', [/How the job ends/], () => running((executor) => claim(executor, { state: 'interim', ending: null }))],
])('accepts a job that ended %s', (_, unknown, honest) => {
  const { receipt, facts } = honest();
  const { broken, unknown: sentences } = verifyReceipt(
    { receipt: signedReceiptSchema.parse(receipt), signature: '0x' },
    facts,
  );
  expect(broken).toBeUndefined();
  for (const sentence of unknown) expect(sentences.join('\n')).toMatch(sentence);
  expect(sentences.length).toBeLessThanOrEqual(2 + unknown.length);
});
