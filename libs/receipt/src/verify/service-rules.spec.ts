import { describe, expect, it } from 'vitest';
import type { ServiceClaim, ServicePeriod } from '../file/service-claim.ts';
import { ACCOMPLICE, honestReceipt, STRANGER, signedBy, TREASURY, WALLET_KEY } from '../honest-receipt.fixture.ts';
import { claimOf, IDENTITY } from '../service-claim.fixture.ts';
import { type JobReport, SimulatedExecutor } from '../simulated-executor.fixture.ts';
import { Evidence } from './evidence.ts';
import { rulesKnown } from './service-rules.ts';
import { openReceipt, type Verdict, verifyReceipt } from './verify-receipt.ts';

const honest = honestReceipt(8);
const { receipt } = honest;
const job = { ...receipt, token: receipt.token.address };

/** The verdict about a job with a claim, for a reader who expects a service. */
async function judged(
  service: ServiceClaim | null,
  wanted: typeof IDENTITY | undefined = IDENTITY,
  of: JobReport = honest,
): Promise<Pick<Verdict, 'broken' | 'service' | 'unknown'>> {
  const opened = await openReceipt(await signedBy(WALLET_KEY, { ...of.receipt, service }));
  if ('broken' in opened) return { broken: opened.broken, service: '', unknown: [] };
  return verifyReceipt(opened.file, of.facts, wanted);
}

/** Runs a job of an executor with a change. */
function running(change: (executor: SimulatedExecutor) => void): JobReport {
  const executor = new SimulatedExecutor({ orderCount: 4 });
  change(executor);
  return executor.run();
}
const feeTo = (to: typeof TREASURY) =>
  running((executor) => Object.assign(executor, { payFee: () => executor.send('fee', to, executor.split.feeWei) }));

describe('the service of a job', () => {
  it('is named when signed and known', async () => {
    const { broken, service, unknown } = await judged(await claimOf(job));
    expect(broken).toBeUndefined();
    expect(service).toBe(`A job of the service ${IDENTITY}, which you named.`);
    expect(unknown.join()).not.toContain('treasury');
  });

  it('is unknown to a reader who names none', async () => {
    const { service, unknown } = await judged(await claimOf(job), null as never);
    expect(service).toContain('A job of an unknown service');
    expect(unknown.join()).toContain('is the treasury of the service');
  });

  it('is unknown without a signature', async () => {
    const { broken, service } = verifyReceipt({ receipt, signature: '0x' }, honest.facts);
    expect(broken).toBeUndefined();
    expect(service).toMatch(/^An unknown service agreed to this job: 0x[0-9a-fA-F]{40} signed the agreement/);
    const unagreed = verifyReceipt({ receipt: { ...receipt, agreement: null }, signature: '0x' }, honest.facts);
    expect(unagreed.service).toBe('A job of an unknown service.');
    expect(unagreed.cautions.at(-1)).toMatch(/^Not agreed before payment: /);
  });

  it('is not the one that the reader names', async () => {
    expect((await judged(null)).broken).toEqual({
      rule: 'service',
      problem: `No service signed for this receipt, but you named ${IDENTITY}.`,
    });
    expect((await judged(await claimOf(job), STRANGER)).broken?.problem).toBe(
      `The receipt is of the service ${IDENTITY}, not of ${STRANGER}, which you named.`,
    );
  });

  it('cannot be claimed with another job’s signature', async () => {
    const other = await claimOf({ ...job, wallet: STRANGER });
    expect((await judged(other)).broken).toEqual({
      rule: 'service',
      problem: `The service ${IDENTITY} did not sign for this job's wallet ${receipt.wallet}.`,
    });
  });

  it.each<[string, Partial<ServicePeriod>]>([
    ['treasury', { treasury: ACCOMPLICE }],
    ['job signer', { jobSigner: ACCOMPLICE }],
    ['exchanges', { venues: [{ id: 'x', router: ACCOMPLICE }] }],
    ['beginning', { from: '2025-01-01T00:00:00.000Z' }],
    ['end', { to: '2099-01-01T00:00:00.000Z' }],
  ])('signs its %s', async (_, change) => {
    const claim = await claimOf(job);
    const forged = { ...claim, periods: claim.periods.map((period) => ({ ...period, ...change })) };
    expect((await judged(forged)).broken?.problem).toMatch(/did not sign its period from/);
  });

  it('cannot use a removed job signer', async () => {
    const before = { to: '2027-01-15T07:00:00.000Z' };
    const after = { jobSigner: ACCOMPLICE, from: '2027-01-15T07:00:00.000Z' };
    expect((await judged(await claimOf(job, before, after))).broken).toEqual({
      rule: 'service',
      problem: expect.stringMatching(/^The key that signed for this job's wallet was not the service's at 2027-/),
    });
  });

  it('cannot use a signature of no key', async () => {
    const claim = await claimOf(job);
    const jobSignature = `0x${'00'.repeat(64)}1b` as const;
    expect((await judged({ ...claim, jobSignature })).broken?.rule).toBe('service');
  });
});

describe('the treasury of a service', () => {
  it('gets the fee', async () => {
    const { broken } = await judged(await claimOf(job), IDENTITY, feeTo(ACCOMPLICE));
    expect(broken).toEqual({
      rule: 'service',
      problem: expect.stringMatching(/^The fee went to 0x(0e){20} at 2027-.*, but the service signed no such treasury/),
    });
  });

  it('signs by period and keeps late fees valid', async () => {
    const before = { treasury: ACCOMPLICE, to: '2027-01-15T09:00:00.000Z' };
    const after = { treasury: TREASURY, from: '2027-01-15T07:00:00.000Z' };
    for (const to of [ACCOMPLICE, TREASURY])
      expect((await judged(await claimOf(job, before, after), IDENTITY, feeTo(to))).broken).toBeUndefined();
    const fromPayment = { ...after, from: '2027-01-15T08:00:00.000Z' };
    expect((await judged(await claimOf(job, fromPayment), IDENTITY, feeTo(TREASURY))).broken).toBeUndefined();
    const newKey = { ...before, jobSigner: STRANGER };
    expect((await judged(await claimOf(job, newKey, after), IDENTITY, feeTo(TREASURY))).broken).toBeUndefined();
    const ended = { ...before, to: '2027-01-15T08:00:00.000Z' };
    expect((await judged(await claimOf(job, ended, after), IDENTITY, feeTo(ACCOMPLICE))).broken?.rule).toBe('service');
    const later = { ...after, from: '2027-01-15T08:00:01.000Z' };
    expect((await judged(await claimOf(job, ended, later), IDENTITY, feeTo(TREASURY))).broken?.rule).toBe('service');
  });

  it('pays for no job, also where another took the fee', async () => {
    const paying = running((executor) =>
      Object.assign(executor, {
        isPaid: () =>
          executor.deposits.push({
            kind: 'transfer',
            pays: true,
            from: ACCOMPLICE,
            amountWei: `${executor.job.paidWei}`,
            ...(({ hash, blockNumber }) => ({ transactionHash: hash, blockNumber }))(
              executor.chain.paid(ACCOMPLICE, executor.job.paidWei),
            ),
          }),
        refund: () => undefined,
      }),
    );
    const of = { ...paying, receipt: { ...paying.receipt, payer: ACCOMPLICE } };
    const claim = await claimOf(job, {}, { treasury: ACCOMPLICE, from: '2027-02-01T00:00:00.000Z' });
    expect((await judged(claim, IDENTITY, of)).broken?.problem).toContain('its money must not trade');
  });
});

describe('an exchange that the verifier does not know', () => {
  const own = running((executor) => {
    const plan = executor.planOrder.bind(executor);
    executor.planOrder = (number) => ({ ...plan(number), router: ACCOMPLICE, pool: ACCOMPLICE });
  });

  it('proves no exchange unless signed', async () => {
    expect((await judged(await claimOf(job), IDENTITY, own)).broken?.rule).toBe('only_buys');
    const venues = [{ id: 'added', router: ACCOMPLICE }];
    const { broken, unknown } = await judged(await claimOf(job, { venues }), IDENTITY, own);
    expect(broken).toBeUndefined();
    expect(unknown.join('\n')).toContain(
      `they went to ${ACCOMPLICE}, which is not known to this verifier; the service signed for it. Such a contract can keep the money.`,
    );
    expect(unknown.join('\n')).toContain('Whether 4 orders bought from an exchange');
    const other = [{ id: 'added', router: STRANGER }];
    expect((await judged(await claimOf(job, { venues: other }), IDENTITY, own)).broken?.rule).toBe('only_buys');
    const past = await claimOf(job, {}, { venues, to: '2026-06-01T00:00:00.000Z' });
    expect((await judged(past, IDENTITY, own)).broken?.rule).toBe('only_buys');
  });

  it('is unknown on an unknown chain', () => {
    const local = { ...own.receipt, agreement: null, chainId: 31337 };
    const facts = { ...own.facts, chainId: 31337, venues: [], pools: new Map() };
    const { broken, proven, unknown } = verifyReceipt({ receipt: local, signature: '0x' }, facts);
    expect(broken).toBeUndefined();
    expect(proven.join()).toContain('Only buys: 3 purchases (by their calls)');
    expect(proven.join()).not.toContain('factories');
    expect(unknown.join()).toContain('which is not known to this verifier. Such a contract');
    const judge = (change: object) =>
      verifyReceipt({ receipt: local, signature: '0x' }, { ...facts, ...change }).broken?.rule;
    expect(judge({ venues: own.facts.venues })).toBe('only_buys');
    const mainnet = { ...own.facts, venues: [], pools: new Map() };
    expect(verifyReceipt({ receipt: own.receipt, signature: '0x' }, mainnet).broken?.rule).toBe('only_buys');
  });
});

it('rejects an unknown version of the rules', () => {
  const later = { ...receipt, rules: { ...receipt.rules, version: 2 } };
  expect([...rulesKnown(new Evidence(later, honest.facts))]).toEqual([
    'The receipt names version 2 of the rules, which this verifier does not know: use a newer one.',
  ]);
  expect(new Evidence(later, honest.facts).rules.feePercent).toBe(30n);
});
