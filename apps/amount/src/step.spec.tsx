// @vitest-environment happy-dom
import { parseHype } from '@maker/rules';
import { keepDraft } from '@maker/web-kit';
import { type Answer, apiAnswering, errorAnswer, testConfiguration } from '@maker/web-kit/testing';
import { planOf } from '@maker/web-kit/testing/plan';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import AmountStep from './step.tsx';

const TOKEN = {
  tokenAddress: `0x${'a'.repeat(40)}`,
  liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false },
};
const CREATED = {
  jobId: 'job_1',
  paymentAddress: `0x${'c'.repeat(40)}`,
  paymentAmount: 0.25,
  paymentDeadline: '2026-01-01T00:15:00.000Z',
};

function show(answer: Answer = CREATED, configuration: object = {}, plan?: Answer, payment?: Answer) {
  const { api, seen } = apiAnswering({
    'POST /jobs/create': answer,
    ...(plan && { 'POST /plan': plan }),
    ...(payment && { 'GET /jobs/job_1/payment': payment }),
  });
  const events = { onJobCreated: vi.fn(), onBack: vi.fn() };
  const { unmount } = render(
    <AmountStep api={api} configuration={testConfiguration(configuration)} token={TOKEN} {...events} />,
  );
  return { ...events, unmount, seen, creations: () => seen.filter(({ call }) => call === 'POST /jobs/create') };
}

const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: /^(CONTINUE|CREATING)/ });
const custom = () => screen.getByRole<HTMLInputElement>('spinbutton');
const chooseCustom = () => fireEvent.click(screen.getByRole('radio', { name: /Custom Amount/ }));
const type = (value: string) => fireEvent.change(custom(), { target: { value } });
const acceptTerms = () => fireEvent.click(screen.getByRole('checkbox'));
const fillIn = (amount = '0.25') => {
  chooseCustom();
  type(amount);
  acceptTerms();
};

describe('the amount step', () => {
  it('moves by 0.1 with the arrow keys (specification § 2)', () => {
    show();
    chooseCustom();
    for (const [key, value] of [
      ['ArrowUp', '0.25'],
      ['ArrowUp', '0.35'],
      ['ArrowDown', '0.25'],
      ['ArrowDown', '0.25'],
    ] as const) {
      fireEvent.keyDown(custom(), { key });
      expect(custom().value).toBe(value);
    }
  });

  it('uses the configured minimum, or 0.01 if not positive', () => {
    show(CREATED, { minimumPayment: 0 });
    expect(screen.getByText('Minimum 0.01 HYPE')).toBeTruthy();
  });

  it('shows CREATING JOB... and creates one job', async () => {
    let answer: (created: object) => void = () => undefined;
    const { creations, onJobCreated } = show(() => new Promise((resolve) => (answer = resolve)));
    fillIn();
    fireEvent.click(submit());
    expect(submit().textContent).toBe('CREATING JOB...');
    expect(submit().disabled).toBe(true);
    fireEvent.click(submit());
    await waitFor(() => expect(creations()).not.toEqual([]));
    expect(creations().map(({ body }) => body)).toEqual([{ tokenAddress: TOKEN.tokenAddress, paymentAmount: 0.25 }]);
    answer(CREATED);
    await waitFor(() => expect(onJobCreated).toHaveBeenCalledOnce());
    const { paymentAmount: _, ...job } = CREATED;
    expect(onJobCreated.mock.calls[0]?.[0]).toMatchObject({ ...job, paymentAmountWei: '250000000000000000' });
  });

  it.each([
    [
      'Back',
      ({ onBack }: ReturnType<typeof show>) => {
        fireEvent.click(screen.getByRole('button', { name: 'Back' }));
        expect(onBack).toHaveBeenCalledOnce();
      },
    ],
    ['the logo', ({ unmount }: ReturnType<typeof show>) => unmount()],
  ])('gives the creation up when the visitor leaves by %s', async (_, leave) => {
    let answer: (created: object) => void = () => undefined;
    const shown = show(() => new Promise((resolve) => (answer = resolve)));
    fillIn();
    fireEvent.click(submit());
    await waitFor(() => expect(shown.creations()).toHaveLength(1));
    leave(shown);
    expect(shown.creations()[0]?.signal?.aborted).toBe(true);
    await act(async () => answer(CREATED));
    expect(shown.onJobCreated).not.toHaveBeenCalled();
  });

  it('keeps the input and the accepted terms', () => {
    show();
    fillIn('0.75');
    fireEvent.change(screen.getByLabelText('Return address (optional)'), { target: { value: '0x12' } });
    document.body.replaceChildren();
    show();
    expect(custom().value).toBe('0.75');
    expect(screen.getByLabelText<HTMLInputElement>('Return address (optional)').value).toBe('0x12');
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
  });

  it.each([
    ['0.5', true],
    ['0.75', false],
  ])('begins with an earlier job’s %s HYPE, terms unread', (hype, isPreset) => {
    keepDraft('amount', { budgetWei: parseHype(hype).toString(), returnAddress: TOKEN.tokenAddress });
    show();
    if (isPreset) expect(screen.getByRole<HTMLInputElement>('radio', { name: /Light Boost/ }).checked).toBe(true);
    else expect(custom().value).toBe(hype);
    expect(screen.getByLabelText<HTMLInputElement>('Return address (optional)').value).toBe(TOKEN.tokenAddress);
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
  });

  it.each(['{"choice":{"kind":"custom"},"customTyped":5}', '[]', 'no json'])(
    'begins empty when another version kept %s',
    (kept) => {
      vi.spyOn(console, 'info').mockImplementation(() => undefined);
      sessionStorage.setItem('hyperevm-maker.draft.amount', kept);
      show();
      expect(screen.getAllByRole<HTMLInputElement>('radio').some(({ checked }) => checked)).toBe(false);
    },
  );

  describe('after a job was created from it', () => {
    const PENDING = { status: 'pending_payment', paymentReceived: false };
    const soon = () => new Date(Date.now() + 60_000).toISOString();
    const past = '2026-01-01T00:15:00.000Z';
    /** Creates a job, goes Back and presses CONTINUE again. */
    const again = async (payment: Answer, change: () => void = () => undefined) => {
      const first = show();
      fillIn();
      fireEvent.click(submit());
      await waitFor(() => expect(first.onJobCreated).toHaveBeenCalledOnce());
      first.unmount();
      const second = show({ ...CREATED, jobId: 'job_2' }, {}, undefined, payment);
      expect(custom().value).toBe('0.25');
      change();
      fireEvent.click(submit());
      await waitFor(() => expect(second.onJobCreated).toHaveBeenCalledOnce());
      const { jobId } = second.onJobCreated.mock.calls[0]?.[0] ?? {};
      expect(second.creations()).toHaveLength(jobId === 'job_1' ? 0 : 1);
      return { jobId, made: first.onJobCreated.mock.calls[0]?.[0], returned: second.onJobCreated.mock.calls[0]?.[0] };
    };

    it.each([
      ['waits', () => ({ ...PENDING, paymentDeadline: soon() })],
      ['runs', () => ({ status: 'active', paymentReceived: true, paymentDeadline: past })],
      ['is not known at the moment', () => errorAnswer(503, { message: '' })],
    ])('leads back to the job that %s', async (_, payment) => {
      const { made, returned } = await again(payment);
      expect(returned).toEqual(made);
    });

    it.each([
      ['is cancelled', () => ({ status: 'cancelled', paymentReceived: false, paymentDeadline: soon() })],
      ['is completed', () => ({ status: 'completed', paymentReceived: true, paymentDeadline: past })],
      ['is overdue', () => ({ ...PENDING, paymentDeadline: past })],
      ['is unknown', () => errorAnswer(404, { message: '' })],
    ])('makes another where the first %s', async (_, payment) => {
      expect((await again(payment)).jobId).toBe('job_2');
    });

    it('creates another job from other input', async () => {
      const payment = () => ({ ...PENDING, paymentDeadline: soon() });
      expect((await again(payment, () => type('0.5'))).jobId).toBe('job_2');
    });
  });
});

describe('a budget that pool or token cannot take', () => {
  const part = planOf({
    depositWei: '1000000000000000000000',
    feeWei: '300000000000000000000',
    orderBudgetWei: '699900000000000000000',
    spendableWei: '294000000000000000000',
    warnings: ['pool_takes_only_part'],
  });
  const subject = () => document.querySelector('.subject-line')?.textContent;

  it('says what returns, offers less, requires consent once', async () => {
    const { creations } = show(CREATED, {}, part);
    fillIn('1000');
    const use = await screen.findByRole('button', { name: 'Use 420' });
    expect(subject()).toMatch(/ · 1000 HYPE buys about 12,350 CAT · fee 300 · about 405\.95 comes back$/);
    for (const text of [
      'This pool can use about 420 HYPE.',
      'The fee, 300 HYPE, is more than the 294 HYPE that buys tokens.',
    ])
      expect(screen.getByText(text).closest('details')).toBeNull();
    fireEvent.click(submit());
    expect(await screen.findByText(/^Press CONTINUE again/)).toBeTruthy();
    expect(creations()).toEqual([]);
    fireEvent.click(submit());
    await waitFor(() => expect(creations()).toHaveLength(1));
    fireEvent.click(use);
    expect(custom().value).toBe('420');
  });

  it('keeps every budget visible beside the offered one', async () => {
    show(CREATED, {}, part);
    fireEvent.click(screen.getByRole('radio', { name: /Extended Boost/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Use 420' }));
    expect(screen.getAllByRole('radio').filter((radio) => radio.closest('details'))).toEqual([]);
  });

  it.each([
    ['without', planOf(), 1],
    ['beside', part, 2],
  ])('unfolds one warning at most, %s a partial budget', async (_, change, folded) => {
    show(CREATED, {}, { ...change, warnings: ['longer_than_window', 'gas_above_guardrail', ...change.warnings] });
    fireEvent.click(screen.getByRole('radio', { name: /Extended Boost/ }));
    const summary = await screen.findByText(`Figures, warnings: ${folded}`);
    const isFolded = (text: RegExp) => screen.getByText(text).closest('details') === summary.parentElement;
    expect(isFolded(/^A job gets at most half of the bot's free capacity/)).toBe(true);
    expect(isFolded(/^Network fees are above 10 gwei/)).toBe(folded === 2);
  });

  it('treats a token that limits holdings the same way', async () => {
    const limited = planOf({ tokenTakesWei: '600000000000000000', warnings: ['token_limits_holdings'] });
    const { creations } = show(CREATED, {}, limited);
    fillIn('5');
    expect(await screen.findByText(/^This token accepts about/)).toBeTruthy();
    expect(subject()).toMatch(/ · 5 HYPE buys about 2,179 CAT · fee 1\.5 · about 2\.85 comes back$/);
    fireEvent.click(submit());
    expect(await screen.findByText(/^Press CONTINUE again/)).toBeTruthy();
    expect(creations()).toEqual([]);
  });

  it('requires consent though CONTINUE is pressed before the plan', async () => {
    let answer: (plan: object) => void = () => undefined;
    const { creations, seen } = show(CREATED, {}, () => new Promise((resolve) => (answer = resolve)));
    fillIn('1000');
    fireEvent.click(submit());
    expect(submit().textContent).toBe('CREATING JOB...');
    await waitFor(() => expect(seen.map(({ call }) => call)).toEqual(['POST /plan']));
    await act(async () => answer(part));
    expect(await screen.findByText(/^Press CONTINUE again/)).toBeTruthy();
    expect(submit().textContent).toBe('CONTINUE');
    expect(creations()).toEqual([]);
    fireEvent.click(submit());
    await waitFor(() => expect(creations()).toHaveLength(1));
  });

  it('requires consent again for another budget', async () => {
    const { creations } = show(CREATED, {}, part);
    fillIn('1000');
    fireEvent.click(submit());
    await screen.findByText(/^Press CONTINUE again/);
    type('900');
    fireEvent.click(submit());
    await screen.findByText(/^Press CONTINUE again/);
    expect(creations()).toEqual([]);
  });

  it('shows the service’s rejection', async () => {
    const { creations } = show(CREATED, { minimumPayment: 0 }, () =>
      errorAnswer(422, { message: '0.05 HYPE does not pay for one order' }),
    );
    fillIn('0.05');
    fireEvent.click(submit());
    await screen.findByText('0.05 HYPE does not pay for one order');
    expect(submit().disabled).toBe(true);
    expect(creations()).toEqual([]);
  });
});

describe('the recipient of tokens and change (design § 4)', () => {
  const field = () => screen.getByLabelText<HTMLInputElement>('Return address (optional)');
  const name = (value: string) => fireEvent.change(field(), { target: { value } });
  const WALLET = `0x${'b1'.repeat(20)}`;

  it('is shown in one line that is not folded', () => {
    show();
    const line = screen.getByText(
      'Tokens and change go to the address you pay from. Paying from an exchange? Enter your own address first.',
    );
    expect(line.closest('details')).toBeNull();
    name(WALLET);
    expect(line.textContent).toBe('Tokens and change go to this address.');
    name('0x12');
    expect(line.textContent).toContain('the address you pay from');
  });

  it.each([
    ['the token', TOKEN.tokenAddress, "This is the token's own contract: anything sent to it is lost"],
    ['the treasury', `0x${'c1'.repeat(20)}`, "This is the service's own wallet: anything sent to it is lost"],
    ['0x…dEaD', `0x${'0'.repeat(36)}dEaD`, 'This address has no owner: anything sent to it is lost'],
  ])('is not %s', (_, address, problem) => {
    show(CREATED, { botWalletAddress: `0x${'c1'.repeat(20)}` });
    fillIn();
    name(address);
    fireEvent.blur(field());
    expect(screen.getByText(problem)).toBeTruthy();
    expect(submit().disabled).toBe(true);
  });

  it('tells a wrong checksum once the address is complete', () => {
    show();
    fillIn();
    const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    name(checksummed.slice(0, -1));
    expect(screen.queryByText(/0x followed by 40/)).toBeNull();
    name(checksummed.replace('BeAed', 'BeAeD'));
    expect(screen.getByText(/wrong character or capital letter/)).toBeTruthy();
    expect(submit().disabled).toBe(true);
    name(checksummed);
    expect(screen.queryByText(/wrong character/)).toBeNull();
    expect(submit().disabled).toBe(false);
  });

  it('shows why an address is rejected until it changes', async () => {
    vi.spyOn(console, 'info').mockImplementation(() => undefined);
    show(() => errorAnswer(400, { code: 'INVALID_REQUEST', message: 'returnAddress: a character is wrong' }));
    fillIn();
    name(WALLET);
    fireEvent.click(submit());
    expect(await screen.findByText('a character is wrong')).toBeTruthy();
    expect(submit().disabled).toBe(true);
    name(`0x${'b2'.repeat(20)}`);
    expect(screen.queryByText('a character is wrong')).toBeNull();
    expect(submit().disabled).toBe(false);
  });

  it('requires consent once before a contract receives', async () => {
    vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const { creations } = show(() =>
      errorAnswer(422, { code: 'RETURN_ADDRESS_IS_CONTRACT', message: 'This address is a contract.' }),
    );
    fillIn();
    name(WALLET);
    fireEvent.click(submit());
    const consent = await screen.findByLabelText(/It is my contract/);
    expect(submit().disabled).toBe(true);
    fireEvent.click(consent);
    fireEvent.click(submit());
    await waitFor(() => expect(creations()).toHaveLength(2));
    expect(creations()[1]?.body).toMatchObject({ returnAddress: WALLET, returnAddressIsContract: true });
  });
});

describe('the plan beside the budget (design § 4a)', () => {
  const pass = (ms: number) =>
    act(async () => {
      await vi.advanceTimersByTimeAsync(ms);
      await new Promise(setImmediate);
    });
  const plan = () => screen.queryByRole('region', { name: 'Plan for your budget' });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  it('requests the plan once the amount has settled', async () => {
    const { seen } = show(CREATED, {}, planOf());
    chooseCustom();
    for (const typed of ['1', '12', '12.5']) {
      type(typed);
      await pass(100);
    }
    expect(plan()).toBeNull();
    await pass(400);
    expect(plan()?.textContent).toContain('about 8,500 of 0.0004 HYPE');
    expect(seen.map(({ call, body }) => ({ call, body }))).toEqual([
      { call: 'POST /plan', body: { tokenAddress: TOKEN.tokenAddress, paymentAmount: 12.5 } },
    ]);
    type('');
    expect(plan()).toBeNull();
  });

  it('says what is bought, by the answer, always open', async () => {
    let answer = planOf();
    show(CREATED, {}, () => answer);
    const subject = () => document.querySelector('.subject-line');
    expect(subject()?.textContent).toBe('0xaaa...aa');
    fillIn('5');
    expect(subject()?.textContent).toBe('0xaaa...aa · 5 HYPE · fee 1.5');
    await pass(400);
    expect(subject()?.textContent).toBe(
      'CAT 0xaaa...aa · 5 HYPE buys about 12,350 CAT · fee 1.5 · about 0.05 comes back',
    );
    expect(subject()?.closest('details')).toBeNull();
    expect(subject()?.querySelectorAll('rect')).toHaveLength(3);
    answer = planOf({ feeWei: '3500000000000000000', spendableWei: '1400000000000000000' });
    type('5.01');
    await pass(400);
    expect(subject()?.textContent).toMatch(/fee 3\.5 · about 0\.06 comes back$/);
    expect(screen.getByText('The fee, 3.5 HYPE, is more than the 1.4 HYPE that buys tokens.')).toBeTruthy();
  });

  it('aborts the request for an earlier amount', async () => {
    const { seen } = show(CREATED, {}, () => new Promise<object>(() => undefined));
    chooseCustom();
    type('1');
    await pass(400);
    type('2');
    expect(seen[0]?.signal?.aborted).toBe(true);
  });

  it.each([
    ['an API without plans', 404, { message: 'Cannot POST /plan' }],
    ['a fault of the server', 500, { message: 'Boom' }],
  ])('is left out for %s, and the step continues', async (_, status, body) => {
    show(CREATED, {}, () => errorAnswer(status, body));
    fillIn('1');
    await pass(400);
    expect(plan()).toBeNull();
    expect(document.body.textContent).not.toContain(body.message);
    expect(submit().disabled).toBe(false);
  });

  it.each([
    [422, '0.25 HYPE does not pay for one order'],
    [409, 'The bot is full: try again later'],
  ])('shows the service’s sentence with a %i', async (status, message) => {
    show(CREATED, {}, () => errorAnswer(status, { message }));
    fillIn();
    await pass(400);
    expect(screen.getByText(message)).toBeTruthy();
  });

  it('explains a creation that the plan did not foresee', async () => {
    const message = 'The bot is full: try again later';
    let isFull = false;
    show(
      () => {
        isFull = true;
        return errorAnswer(409, { message });
      },
      {},
      () => (isFull ? errorAnswer(409, { message }) : planOf()),
    );
    fillIn();
    await pass(400);
    fireEvent.click(submit());
    await pass(0);
    await pass(0);
    expect(screen.getByText(message)).toBeTruthy();
    expect(submit().textContent).toBe('CONTINUE');
  });
});
