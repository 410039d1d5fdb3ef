import { PAUSE_REASONS, parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import PauseSentence from './pause-sentence.tsx';
import { activeJob, receiptOf } from './receipt.fixture.ts';
import { fewerOrdersText, receiptHeadline } from './receipt-headline.ts';

const timeOfDay = (iso: string) => iso.slice(11, 16);
const headline = (job: Parameters<typeof receiptHeadline>[0], isOwn = true) => receiptHeadline(job, timeOfDay, isOwn);

describe('receiptHeadline', () => {
  it('names the payment before the maker begins', () => {
    const { receipt: _, ...job } = activeJob();
    expect(headline(job).text).toMatch(/^Payment received/);
  });

  it.each([
    [0, 'The first order is being placed'],
    [1, 'Placing orders'],
    [625, 'All orders are placed. Delivery follows'],
  ])('after %i of 625 orders: %s', (ordersPlaced, text) => {
    expect(headline(activeJob({ receipt: receiptOf({ ordersPlaced }) }))).toEqual({ tone: 'green', text });
  });

  it.each(PAUSE_REASONS)('shows start and reason of a pause: %s', (reason) => {
    const paused = { reason, since: '2026-01-01T14:05:00.000Z' };
    const { text, ...rest } = headline(activeJob({ receipt: receiptOf({ paused }) }));
    expect(rest).toEqual({ tone: 'yellow', pauseReason: reason });
    expect(text + PauseSentence({ reason }).props.children).toMatch(/^Paused since 14:05: .{20,}/);
  });

  it('shows stopped during the settlement', () => {
    const stopRequestedAt = '2026-01-01T14:05:00.000Z';
    expect(headline(activeJob({ stopRequestedAt })).text).toMatch(/^You stopped this job\. .+ delivered, .+ returned$/);
  });

  it('calls the stop of the payer no failure', () => {
    const stopped = { stopRequestedAt: '2026-01-01T14:05:00.000Z', status: 'cancelled' } as const;
    const receipt = receiptOf({ deliveredTokens: `${parseHype('96.4')}`, returnedWei: `${parseHype('1.6')}` });
    expect(headline(activeJob({ ...stopped, receipt, failureReason: 'The payer stopped this job' }))).toEqual({
      tone: 'plain',
      text: 'Stopped by you: 96.4 CAT delivered, 1.6 HYPE returned',
    });
    expect(headline({ ...activeJob(stopped), receipt: undefined }, false).text).toBe('Stopped by the payer');
    expect(headline(activeJob({ status: 'cancelled' }))).toEqual({ tone: 'red', text: 'The job ended early' });
  });

  it('names the reason of an early end', () => {
    expect(headline(activeJob({ status: 'failed_liquidity', failureReason: 'The pool was emptied' }))).toEqual({
      tone: 'red',
      text: 'The job ended early: The pool was emptied',
    });
  });

  it('never says delivered while something is held', () => {
    const receipt = receiptOf({ heldReason: 'the money came from a contract and no return address was given' });
    expect(headline(activeJob({ status: 'completed', receipt }))).toEqual({
      tone: 'yellow',
      text: 'The operator holds a part of your deposit: the money came from a contract and no return address was given. Contact support',
    });
  });

  it('shows the result of a completed job', () => {
    expect(headline(activeJob({ status: 'completed' })).tone).toBe('green');
  });
});

const fewer = (ordersPlaced: number, standardOrders?: number) =>
  fewerOrdersText(receiptOf({ ordersPlaced, standardOrders, estimate: { lower: 500, upper: 833 } }), true);

describe('fewerOrdersText (design § 4a)', () => {
  it('is undefined for a count within the estimate', () => {
    expect(fewer(500, 500)).toBeUndefined();
  });

  it('shows how many standard orders were merged', () => {
    expect(fewer(312, 624)).toBe(
      'Fewer orders were placed than estimated. Network fees were high, so orders were merged: the 312 placed orders replace 624 standard orders.',
    );
  });

  it('explains an unspent budget', () => {
    expect(fewer(499, 499)).toMatch(
      /estimated\. Because of pauses or low liquidity, a part of the budget was not spent\.$/,
    );
    expect(fewer(499)).toBe(fewer(499, 499));
  });

  it('gives no reason for an early end', () => {
    const receipt = receiptOf({ ordersPlaced: 100, estimate: { lower: 500, upper: 833 } });
    expect(fewerOrdersText(receipt, false)).toBe('Fewer orders were placed than estimated.');
  });

  it('gives both reasons when both apply', () => {
    expect(fewer(100, 400)).toMatch(/replace 400 standard orders\. Because of pauses/);
  });
});
