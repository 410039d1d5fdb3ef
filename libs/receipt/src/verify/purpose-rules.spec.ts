import { BUDGET_SPENT } from '@maker/rules';
import { expect, it } from 'vitest';
import { reportWith } from '../deviation.fixture.ts';
import { signedReceiptSchema } from '../file/receipt-file.ts';
import { SimulatedExecutor, type SimulatedJob } from '../simulated-executor.fixture.ts';
import { verifyReceipt } from './verify-receipt.ts';

const AT = '2027-02-15T08:00:00.000Z';

/** The verdict about a job with a budget of 0.075 HYPE. */
function judged(job: Partial<SimulatedJob>, change: (executor: SimulatedExecutor) => void = () => {}) {
  const executor = new SimulatedExecutor({ outcome: () => 'filled', lateWei: 0n, ...job });
  change(executor);
  const { receipt, facts } = executor.run();
  return verifyReceipt({ receipt: signedReceiptSchema.parse(receipt), signature: '0x' }, facts);
}

const ending = (kind: string, message: string) => (executor: SimulatedExecutor) =>
  reportWith(executor, { ending: { kind, message, at: AT } });

function afterTrading(executor: SimulatedExecutor): void {
  const deliver = executor.deliver.bind(executor);
  executor.deliver = () => {
    executor.chain.seconds = Math.floor(executor.tradingEndsAtMs / 1000) + 1;
    deliver();
  };
  ending('completed', 'the published time for orders is over')(executor);
}

it.each<[string, number, (executor: SimulatedExecutor) => void, string]>([
  [
    'that ended early',
    100,
    ending('completed', 'done'),
    'But orders spent 0.04 HYPE of 0.075 HYPE, and trading had not',
  ],
  ['with a rest', 170, ending('completed', BUDGET_SPENT), 'But orders spent 0.068 HYPE of 0.075 HYPE, and the rest'],
  ['without an order', 0, ending('completed', 'done'), 'But it bought nothing.'],
])('rejects a completed job %s', (_, orderCount, change, problem) => {
  expect(judged({ orderCount }, change).broken).toEqual({ rule: 'purpose', problem: expect.stringContaining(problem) });
});

it.each<[string, number, (executor: SimulatedExecutor) => void, string | undefined]>([
  ['a spent budget', 187, ending('completed', BUDGET_SPENT), undefined],
  ['a rest below the last order', 181, ending('completed', BUDGET_SPENT), undefined],
  ['the time that is over', 40, afterTrading, 'Only 0.016 HYPE of the order budget of 0.075 HYPE bought tokens.'],
  ['nine tenths', 170, ending('cancelled', ''), undefined],
  ['less', 168, ending('cancelled', ''), 'Only 0.0672 HYPE of the order budget of 0.075 HYPE bought tokens.'],
  ['nothing', 0, ending('technical', 'gas'), 'The fee was taken and nothing was bought.'],
])('begins with what was bought: %s', (_, orderCount, change, sentence) => {
  const { broken, cautions } = judged({ orderCount }, change);
  expect(broken).toBeUndefined();
  expect(cautions).toEqual(sentence === undefined ? [] : [sentence]);
});

it('says when no fee was taken either', () => {
  const { broken, cautions } = judged({ orderCount: 0 }, (executor) => {
    executor.payFee = () => undefined;
    ending('technical', 'late')(executor);
  });
  expect(broken).toBeUndefined();
  expect(cautions[0]).toBe('Nothing was bought, and no fee was taken.');
});

it('knows no purpose before the end', () => {
  const interim = { state: 'interim' as const, ending: null };
  const { broken, cautions } = judged({ orderCount: 1 }, (executor) => reportWith(executor, interim));
  expect(broken).toBeUndefined();
  expect(cautions).toEqual([]);
});
