import { describe, expect, it } from 'vitest';
import { displayStatus } from './status-display.ts';

describe('the status table (specification § 4)', () => {
  it.each([
    ['pending_payment', false, 'yellow', 'Waiting for confirmation'],
    ['pending_payment', true, 'red', 'Transaction Failed - Deadline Exceeded'],
    ['active', false, 'green', 'Job Active - Trading'],
    ['completed', true, 'green', 'Job Completed Successfully'],
    ['failed_liquidity', true, 'red', 'Job Failed - Insufficient Liquidity'],
    ['failed_technical', false, 'red', 'Job Failed - Technical Issue'],
    ['cancelled', false, 'red', 'Job Cancelled'],
    ['payment_expired', true, 'red', 'Transaction Failed - Deadline Exceeded'],
    ['something_new', true, 'yellow', 'Waiting for confirmation'],
  ] as const)('%s, deadline passed: %s', (status, deadlinePassed, colour, label) => {
    expect(displayStatus(status, false, deadlinePassed)).toMatchObject({ colour, label });
  });

  it('shows its own pill after the deadline', () => {
    expect(displayStatus('pending_payment', false, true).pill).toBe('Transaction deadline exceeded. Job has failed.');
  });

  it.each(['payment_expired', 'failed_technical', 'completed'])('repeats the label in the pill of %s', (status) => {
    const { label, pill } = displayStatus(status, false, true);
    expect(pill).toBe(label);
  });

  it.each(['active', 'completed', 'failed_technical', 'pending_payment', 'anything'])(
    'shows the received payment in green (%s)',
    (status) => {
      const display = displayStatus(status, true, true);
      expect(display).toMatchObject({ colour: 'green', label: 'Transaction Received - Job Active' });
    },
  );

  it('names support in failed and cancelled states', () => {
    for (const status of ['failed_liquidity', 'failed_technical', 'cancelled']) {
      expect(displayStatus(status, false, false).advice).toBe('Job has failed. Please contact support if needed.');
    }
    for (const status of ['completed', 'payment_expired', 'pending_payment']) {
      expect(displayStatus(status, false, true).advice).toBeUndefined();
    }
  });
});
