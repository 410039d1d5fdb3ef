// @vitest-environment happy-dom
import { checksumAddress } from '@maker/rules';
import { type OpenJob, readDraft } from '@maker/web-kit';
import { type Answer, apiAnswering, errorAnswer, testConfiguration } from '@maker/web-kit/testing';
import { planOf } from '@maker/web-kit/testing/plan';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { activeJob, orderNumber, receiptOf } from './receipt/receipt.fixture.ts';
import PaymentStep from './step.tsx';

const NOW = Date.UTC(2026, 0, 1, 12, 0);
const JOB: OpenJob = {
  jobId: 'job_1',
  token: {
    tokenAddress: `0x${'a'.repeat(40)}`,
    liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
  },
  paymentAddress: `0x${'b'.repeat(40)}`,
  paymentAmountWei: '500000000000000000',
  paymentDeadline: new Date(NOW + 15 * 60_000).toISOString(),
  createdAt: new Date(NOW).toISOString(),
};
const FAILED = 'Job has failed. Please contact support if needed.';

/** @param payment by default only the fields of the specification */
async function show(
  payment: Answer,
  others: Readonly<Record<string, Answer>> = {},
  configuration: object = {},
  job: Partial<OpenJob> = {},
) {
  const { api, seen } = apiAnswering({ 'GET /jobs/job_1/payment': payment, ...others });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const onHome = vi.fn();
  const onAgain = vi.fn();
  const { unmount } = render(
    <QueryClientProvider client={queries}>
      <PaymentStep
        api={api}
        configuration={testConfiguration(configuration)}
        job={{ ...JOB, ...job }}
        onBack={vi.fn()}
        onCode={vi.fn()}
        onHome={onHome}
        onAgain={onAgain}
      />
    </QueryClientProvider>,
  );
  await pass(0);
  return {
    onHome,
    onAgain,
    unmount,
    polls: () => seen.filter(({ call }) => call === 'GET /jobs/job_1/payment').length,
  };
}

/** Advances the time; answers due meanwhile arrive. */
const pass = (ms: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(0);
  });
async function saveAddress(address: string): Promise<void> {
  const details = screen.getByText('Enter address').closest('details') as HTMLDetailsElement;
  details.open = true;
  fireEvent(details, new Event('toggle'));
  await pass(10);
  fireEvent.change(screen.getByLabelText('Your own address'), { target: { value: address } });
  fireEvent.click(screen.getByRole('button', { name: 'Save Address' }));
  await pass(10);
}

/** Opens the folded actions of a payer. */
async function unfoldSchedule(): Promise<void> {
  const details = screen.getByText(/^Schedule/).closest('details') as HTMLDetailsElement;
  details.open = true;
  fireEvent(details, new Event('toggle'));
  await pass(10);
}

const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling;
const pill = () => document.querySelector('.status-pill');

// Loaded in advance, so that no test waits for the import of a module on a slow machine.
beforeAll(() =>
  Promise.all([
    import('./pay/unknown-payer.tsx'),
    import('./pay/change-return-address.tsx'),
    import('./pay/checksummed.tsx'),
    import('./links/job-links.tsx'),
    import('./pay/start-with-part.tsx'),
    import('./stop/stop-job.tsx'),
    import('./unknown-job.tsx'),
  ]),
);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});

describe('the payment step', () => {
  it.each([
    ['pending_payment', true],
    ['payment_expired', false],
    ['cancelled', false],
  ])('says end and stop before payment: %s', async (status, isOpen) => {
    await show({ status, paymentReceived: false }, {}, {}, { plan: planOf(), stopSecret: `stop_${'x'.repeat(32)}` });
    await pass(1000);
    if (isOpen) await unfoldSchedule();
    expect(screen.queryAllByText(/if paid right away$/)).toHaveLength(isOpen ? 2 : 0);
    expect(screen.queryAllByRole('button', { name: 'Cancel this job' })).toHaveLength(isOpen ? 1 : 0);
    expect(screen.queryByText('Link and private code') === null).toBe(isOpen);
    expect(screen.queryByRole('button', { name: 'Copy Private Code' }) !== null).toBe(isOpen);
  });

  it.each([
    [999, 'HyperEVM (chain 999)'],
    [998, 'HyperEVM Testnet (chain 998)'],
  ])('says on which network to pay: %d (hyperevm § 1)', async (chainId, label) => {
    await show({ status: 'pending_payment', paymentReceived: false }, {}, { chainId });
    expect(fact('Network')?.textContent).toMatch(label);
    expect(fact('Network')?.textContent).toContain('HYPE on HyperCore or on an exchange');
  });

  it('names what the plan buys, until it is paid', async () => {
    const plan = { ...planOf(), depositWei: JOB.paymentAmountWei, feeWei: '150000000000000000' };
    const small = { ...plan, spendableWei: '200000000000000000', orderBudgetWei: '250000000000000000' };
    const subject = () => document.querySelector('.subject-line')?.textContent;
    const pending = { status: 'pending_payment', paymentReceived: false };
    const { unmount } = await show(pending, {}, {}, { plan: small });
    expect(subject()).toBe('CAT 0xaaa...aa · 0.5 HYPE buys about 12,350 CAT · fee 0.15 · about 0.1 comes back');
    unmount();
    await show({ status: 'active', paymentReceived: true }, {}, {}, { plan: small });
    expect(subject()).toBe('0xaaa...aa');
  });

  it.each(['cancelled', 'payment_expired'])('offers no copy of a dead address: %s', async (status) => {
    await show({ status, paymentReceived: false });
    expect(screen.getByText(/^Send nothing to this address/)).toBeTruthy();
    expect(fact('Payment Wallet Address')?.textContent).toBe(JOB.paymentAddress);
    expect(screen.queryByRole('button', { name: 'Copy Address' })).toBeNull();
  });

  it.each([
    ['pending_payment', false],
    ['active', false],
    ['completed', true],
    ['cancelled', true],
  ])('offers another job once one has ended: %s', async (status, isOffered) => {
    const { onHome } = await show({ status, paymentReceived: false });
    const another = screen.queryByRole('button', { name: 'Start another job' });
    expect(another !== null).toBe(isOffered);
    if (another) fireEvent.click(another);
    expect(onHome).toHaveBeenCalledTimes(isOffered ? 1 : 0);
  });

  it('counts down from the whole time at most', async () => {
    const paymentDeadline = new Date(NOW + 15 * 60_000 + 1_600).toISOString();
    await show({ status: 'pending_payment', paymentReceived: false, paymentDeadline }, {}, {}, { paymentDeadline });
    expect(screen.getByRole('timer').textContent).toBe('15:00');
    await pass(2_000);
    expect(screen.getByRole('timer').textContent).toBe('15:00');
    await pass(1_000);
    expect(screen.getByRole('timer').textContent).toBe('14:59');
  });

  it.each(['pending_payment', 'active', 'completed', 'payment_expired', 'cancelled'])(
    'polls immediately, then every 10 s, also when %s',
    async (status) => {
      const { polls, unmount } = await show({ status, paymentReceived: false });
      expect(polls()).toBe(1);
      for (const count of [2, 3, 4]) {
        await pass(9_999);
        expect(polls()).toBe(count - 1);
        await pass(1);
        expect(polls()).toBe(count);
      }
      unmount();
      await pass(60_000);
      expect(polls()).toBe(4);
    },
  );

  it.each<[string, Partial<OpenJob>, string]>([
    ['the payer', {}, `0x${'d'.repeat(40)}`],
    ['a reader of the link', { isShared: true }, ''],
  ])('repeats an ended job with the choices of %s', async (_, shared, returnAddress) => {
    const job = activeJob({ status: 'completed', jobId: 'job_1', namedReturnAddress: `0x${'d'.repeat(40)}` });
    const { onAgain } = await show(job, { 'GET /jobs/job_1/status': job }, {}, shared);
    fireEvent.click(screen.getByRole('button', { name: 'Again with this token' }));
    expect(onAgain).toHaveBeenCalledOnce();
    expect(readDraft('token')).toBe(JOB.token.tokenAddress);
    expect(readDraft('amount')).toEqual({ budgetWei: JOB.paymentAmountWei, returnAddress });
  });

  it('opens a finished job on its verdict, the rest folded', async () => {
    const bought = { ordersPlaced: 60, tradedWei: '22800000000000000', tokensBought: `60${'0'.repeat(18)}` };
    const job = activeJob({ status: 'completed', jobId: 'job_1', receipt: receiptOf(bought) });
    const configuration = { verifyUrl: 'https://verify.example/' };
    await show(job, { 'GET /jobs/job_1/status': job }, configuration, { isShared: true });
    await pass(10);
    const verdict = screen.getByText(/60 CAT bought at 0\.00038 HYPE each/).parentElement as HTMLElement;
    expect(verdict.textContent).toContain('60 orders of 500~830 estimated');
    expect(verdict.querySelector('a')?.href).toBe(configuration.verifyUrl);
    for (const name of ['Payment Wallet Address', 'Job ID']) {
      expect(screen.getByText(name).closest('details')?.open).toBe(false);
    }
    await act(async () => void dispatchEvent(new Event('beforeprint')));
    expect(screen.getByText('Job ID').closest('details')?.open).toBe(true);
    await act(async () => void dispatchEvent(new Event('afterprint')));
  });

  it('shows a second payment after completion', async () => {
    let job = activeJob({ status: 'completed', jobId: 'job_1' });
    await show(() => job, { 'GET /jobs/job_1/status': () => job });
    expect(screen.queryByText(/0\.2 HYPE arrived after the deadline/)).toBeNull();
    job = { ...job, lateWei: '200000000000000000', flags: { ...job.flags, late: true } };
    await pass(10_010);
    expect(screen.getByText(/0\.2 HYPE arrived after the deadline/)).toBeTruthy();
  });

  it.each([
    [{ status: 'completed' }, true],
    [{ status: 'completed', stopRequestedAt: JOB.createdAt }, false],
    [{ status: 'cancelled', failureReason: 'An operator cancelled this job' }, false],
    [{ status: 'cancelled', failureReason: 'The payer stopped this job', stopRequestedAt: JOB.createdAt }, false],
    [{ status: 'failed_technical', failureReason: '20 orders in a row failed' }, false],
    [{ status: 'failed_liquidity', failureReason: 'the token or its pool refuses purchases' }, false],
  ] as const)('blames pauses or low liquidity of %j: %s', async (changes, isBlamed) => {
    const job = activeJob({ ...changes, jobId: 'job_1', receipt: receiptOf({ ordersPlaced: 100 }) });
    await show(job, { 'GET /jobs/job_1/status': job });
    await pass(10);
    expect(screen.getByText(/^Fewer orders were placed than estimated/)).toBeTruthy();
    expect(screen.queryByText(/low liquidity/) !== null).toBe(isBlamed);
  });

  it.each([
    [499, true],
    [500, false],
  ])('explains why %d orders are fewer than 500: %s', async (ordersPlaced, said) => {
    const job = activeJob({ status: 'completed', jobId: 'job_1', receipt: receiptOf({ ordersPlaced }) });
    await show(job, { 'GET /jobs/job_1/status': job });
    await pass(10);
    expect(screen.queryByText(/^Fewer orders were placed than estimated/) !== null).toBe(said);
  });

  it('advises no support when no payment came in time', async () => {
    await show({ status: 'payment_expired', paymentReceived: false });
    expect(fact('Status')?.textContent).toBe('Transaction Failed - Deadline Exceeded');
    expect(screen.queryByText(FAILED)).toBeNull();
  });

  it.each([
    [{ status: 'pending_payment' }, 'Waiting for confirmation'],
    [{ status: 'pending_payment', waitingWei: '1' }, 'Payment seen'],
    [{ status: 'active', paymentReceived: true, waitingWei: '1' }, 'Transaction Received - Job Active'],
    [{ status: 'completed', paymentReceived: true }, 'Job Completed Successfully'],
    [{ status: 'failed_technical', paymentReceived: true }, 'Job Failed - Technical Issue'],
  ])('shows %j in the tab title', async (payment, title) => {
    const { unmount } = await show({ paymentReceived: false, ...payment });
    expect(document.title).toBe(`${title} · HyperEVM Maker Bot`);
    unmount();
    expect(document.title).toBe('HyperEVM Maker Bot');
  });

  it('needs only the specified fields', async () => {
    await show({ status: 'cancelled', paymentReceived: true });
    expect(pill()?.textContent).toBe('Transaction Received - Job Active');
    expect(pill()?.getAttribute('data-colour')).toBe('green');
    expect(screen.queryByText(FAILED)).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says after the deadline that nothing may be sent', async () => {
    await show({ status: 'pending_payment', paymentReceived: false });
    await pass(15 * 60_000 + 1_000);
    expect(screen.getByText(/^The time to pay is over/).closest('.notice--plain')).toBeTruthy();
    expect(screen.getByText(/^Send nothing to this address any more/)).toBeTruthy();
    expect(screen.queryByText(/Enter your own address first|Do not pay from an exchange/)).toBeNull();
  });

  it.each([
    ['a slow poll', () => new Promise<object>(() => undefined)],
    ['a failed poll', () => errorAnswer(503, { message: '' })],
  ])('drops old lines once the payer has cancelled, before %s', async (_, next) => {
    let answer: () => object | Promise<object> = () => ({ status: 'pending_payment', paymentReceived: false });
    const cancel = () => {
      answer = next;
      return { status: 'cancelled', outcome: 'The job has ended' };
    };
    await show(() => answer(), { 'POST /jobs/job_1/stop': cancel }, {}, { stopSecret: `stop_${'x'.repeat(32)}` });
    await unfoldSchedule();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel this job' }));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel it now' }));
    await pass(100);
    expect(pill()?.textContent).toBe('Job Cancelled');
    expect(screen.queryByText('Send from your wallet')).toBeNull();
    expect(screen.queryByRole('timer')).toBeNull();
    expect(screen.getByText(/^Send nothing to this address any more/)).toBeTruthy();
  });

  it('shows the newest return address of any tab', async () => {
    let named: string | undefined;
    const [first, second] = [`0x${'b1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];
    await show(
      () => ({ status: 'pending_payment', paymentReceived: false, namedReturnAddress: named }),
      { 'POST /jobs/job_1/return-address': { returnAddress: first } },
      {},
      { stopSecret: `stop_${'x'.repeat(32)}` },
    );
    await saveAddress(first);
    expect(screen.getByText(checksumAddress(first))).toBeTruthy();
    named = second;
    await pass(10_000);
    expect(screen.getByText(checksumAddress(second))).toBeTruthy();
    expect(screen.queryByText(checksumAddress(first))).toBeNull();
  });

  it.each([
    ['nothing', {}, 'Paying from an exchange? Enter your own address first.'],
    ['dust', { receivedWei: '1' }, 'Paying from an exchange? Enter your own address first.'],
    [
      'money that is not confirmed',
      { waitingWei: '200000000000000000' },
      'Paying from an exchange? Enter your own address first.',
    ],
    ['a part', { receivedWei: '200000000000000000' }, 'Paid from an exchange? Enter your own address.'],
  ])('takes the payer’s address after %s: %s', async (_, arrived, advice) => {
    const named = `0x${'b1'.repeat(20)}`;
    let payment: object = { status: 'pending_payment', paymentReceived: false, ...arrived };
    await show(() => payment, {}, {}, { stopSecret: `stop_${'x'.repeat(32)}` });
    expect(screen.getByText('Enter address')).toBeTruthy();
    expect(screen.getByText(/^Tokens and change go to the address you pay from/).textContent).toContain(advice);
    payment = { ...payment, namedReturnAddress: named };
    await pass(10_010);
    expect(screen.getByText(checksumAddress(named))).toBeTruthy();
    expect(screen.getByText('Change this address')).toBeTruthy();
  });

  it('shows an address as proposed when money arrived meanwhile', async () => {
    const own = `0x${'b1'.repeat(20)}`;
    await show(
      { status: 'pending_payment', paymentReceived: false },
      { 'POST /jobs/job_1/return-address': { returnAddress: own, awaitsOperator: true } },
      {},
      { stopSecret: `stop_${'x'.repeat(32)}` },
    );
    await saveAddress(own);
    expect(screen.getByText(/An operator checks this address/)).toBeTruthy();
    expect(screen.queryByText(/^Tokens and change go to $/)).toBeNull();
  });

  it('reports an unknown payer when the payment arrives', async () => {
    const job = activeJob({ jobId: 'job_1', payerUnknown: true });
    await show(job, { 'GET /jobs/job_1/status': job }, {}, { stopSecret: `stop_${'x'.repeat(32)}` });
    await vi.waitFor(() => expect(screen.getByText(/does not show who paid/)).toBeTruthy());
    expect(screen.getByRole('button', { name: 'Save Address' })).toBeTruthy();
  });

  it('accepts a return address for an unpaid job’s money', async () => {
    const held = { amountWei: '200000000000000000', status: 'held' as const, reason: 'it came from a contract' };
    const job = {
      ...activeJob({ jobId: 'job_1', status: 'payment_expired', paymentReceived: false }),
      returns: [held],
    };
    await show(job, { 'GET /jobs/job_1/status': job }, {}, { stopSecret: `stop_${'x'.repeat(32)}` });
    await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Save Address' })).toBeTruthy());
  });

  it('shows tokens that only the status contains', async () => {
    const foundTokens = [{ tokenAddress: JOB.paymentAddress, amount: '5', symbol: 'CAT', decimals: 0 }];
    const job = activeJob({ jobId: 'job_1', status: 'completed' });
    await show(job, { 'GET /jobs/job_1/status': { ...job, foundTokens } });
    await pass(10);
    expect(screen.getByText(/^5 CAT arrived here/)).toBeTruthy();
  });

  it('offers Stop at the head of a running receipt', async () => {
    const job = activeJob({ jobId: 'job_1' });
    await show(job, { 'GET /jobs/job_1/status': job }, {}, { stopSecret: `stop_${'x'.repeat(32)}` });
    await pass(100);
    const receipt = screen.getByRole('region', { name: 'Live receipt' });
    const stop = screen.getByRole('button', { name: 'Stop this job' });
    expect(receipt.contains(stop)).toBe(true);
    const figures = screen.getByText('Tokens bought');
    expect(stop.compareDocumentPosition(figures) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  it('shows an order placed during the read', async () => {
    const answers: ((answer: object) => void)[] = [];
    const job = activeJob({ jobId: 'job_1', receipt: receiptOf({ ordersPlaced: 1 }) });
    let send: (job: object) => void = () => undefined;
    const events = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (status) =>
          controller.enqueue(new TextEncoder().encode(`event: status\ndata: ${JSON.stringify(status)}\n\n`));
      },
    });
    await show(job, {
      'GET /jobs/job_1/status': job,
      'GET /jobs/job_1/orders': () => new Promise((resolve) => answers.push(resolve)),
      'GET /jobs/job_1/events': () => new Response(events),
    });
    await pass(100);
    answers.shift()?.({ orders: [orderNumber(1)] });
    await pass(100);
    for (const ordersPlaced of [2, 3]) {
      send({ ...job, receipt: receiptOf({ ordersPlaced }) });
      await pass(100);
    }
    answers.shift()?.({ orders: [orderNumber(2)] });
    await pass(2_000);
    answers.shift()?.({ orders: [orderNumber(3)] });
    await pass(100);
    expect(screen.getAllByRole('row')[1]?.textContent).toMatch(/30\.00114 HYPE3 CAT$/);
  });

  it.each([
    ['immediately', () => errorAnswer(404, { message: 'No job has the id job_1' })],
    ['after an answer', () => ({ status: 'pending_payment', paymentReceived: false })],
  ])('hides the address of an unknown job: %s', async (_, first) => {
    let answer: () => object = first;
    const { onHome } = await show(() => answer());
    answer = () => errorAnswer(404, { message: 'No job has the id job_1' });
    await pass(10_010);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Initiate Token Transfer');
    expect(document.body.textContent).not.toContain(JOB.paymentAddress);
    expect(screen.queryByRole('button', { name: /^Copy/ })).toBeNull();
    expect(screen.getByRole('alert').textContent).toBe('No job has the id job_1');
    expect(screen.getByText(/^The service does not know this job. Do not send anything to its address/)).toBeTruthy();
    expect(pill()).toBeNull();
    expect(document.title).toBe('HyperEVM Maker Bot');
    fireEvent.click(screen.getByRole('button', { name: 'Go to the start' }));
    expect(onHome).toHaveBeenCalledOnce();
  });

  it('says since when the chain is out of reach', async () => {
    const chainUnreachableSince = new Date(NOW - 120_000).toISOString();
    await show({ status: 'pending_payment', paymentReceived: false, chainUnreachableSince });
    expect(document.body.textContent).toContain(
      'We cannot reach the chain at the moment. Your money is safe at its address. Out of reach since ',
    );
  });

  it('says before payment which sum is enough', async () => {
    await show({ status: 'pending_payment', paymentReceived: false, leastPaymentWei: '495000000000000000' });
    expect(screen.getByText('0.495 HYPE is enough.')).toBeTruthy();
  });

  it('offers to start with the part that arrived', async () => {
    const part = {
      status: 'pending_payment',
      paymentReceived: false,
      paymentAmountWei: JOB.paymentAmountWei,
      paymentDeadline: JOB.paymentDeadline,
      receivedWei: '410000000000000000',
      lateWei: '0',
      startableWei: '410000000000000000',
      flags: { underpaid: true, overpaid: false, late: false },
    };
    const starting = { 'POST /jobs/job_1/start': { status: 'active', amountWei: part.startableWei } };
    const { unmount } = await show(part, starting);
    expect(screen.queryByRole('button', { name: 'Start with 0.41 HYPE' })).toBeNull();
    unmount();
    await show(part, starting, {}, { stopSecret: `stop_${'x'.repeat(32)}` });
    await pass(10);
    expect(screen.getByText(/Paid from an exchange\? Enter your own address\./)).toBeTruthy();
    const start = screen.getByRole('button', { name: 'Start with 0.41 HYPE' });
    Object.assign(part, { status: 'active', paymentReceived: true });
    fireEvent.click(start);
    await pass(10);
    expect(pill()?.textContent).toBe('Transaction Received - Job Active');
  });
});
