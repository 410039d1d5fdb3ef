import { testAgreementKey } from '@maker/signing/testing';
import { describe, expect, it } from 'vitest';
import { lower } from '../file/lower.ts';
import { ACCOMPLICE, honestReceipt, STRANGER, TREASURY } from '../honest-receipt.fixture.ts';
import { type JobReport, SimulatedExecutor } from '../simulated-executor.fixture.ts';
import type { NamedService } from './evidence.ts';
import { Evidence } from './evidence.ts';
import { rulesKnown } from './service-rules.ts';
import { type Verdict, verifyReceipt } from './verify-receipt.ts';

const honest = honestReceipt(8);
const { receipt } = honest;
const PERIOD = { treasury: TREASURY, agreementSigners: [lower(testAgreementKey.address)], from: null, to: null };

const naming = (...periods: readonly Partial<NamedService['periods'][number]>[]): NamedService => ({
  host: 'bot.example.com',
  chainId: 999,
  periods: (periods.length > 0 ? periods : [{}]).map((change) => ({ ...PERIOD, ...change })),
});

const judged = (service?: NamedService, of: JobReport = honest): Verdict =>
  verifyReceipt({ receipt: of.receipt, signature: '0x' }, of.facts, service);

function running(change: (executor: SimulatedExecutor) => void): JobReport {
  const executor = new SimulatedExecutor({ orderCount: 4 });
  change(executor);
  return executor.run();
}
const feeTo = (to: typeof TREASURY) =>
  running((executor) => Object.assign(executor, { payFee: () => executor.send('fee', to, executor.split.feeWei) }));

describe('the service of a job', () => {
  it('agreed to it, as its site says', () => {
    const { broken, service, proven, unknown } = judged(naming());
    expect(broken).toBeUndefined();
    expect(service).toBe('bot.example.com agreed to this job.');
    expect(proven).toContain('bot.example.com names the keys that signed the agreement, and the treasury.');
    expect(unknown.join()).not.toContain('treasury');
  });

  it('has an identity off-line, if its site names one', () => {
    expect(judged({ ...naming(), identity: STRANGER }).proven.join()).toContain(
      `Its identity ${STRANGER} signed these names.`,
    );
  });

  it('is unknown to a reader who names none', () => {
    const { broken, service, unknown } = judged();
    expect(broken).toBeUndefined();
    expect(service).toMatch(/^An unknown service agreed to this job: 0x[0-9a-fA-F]{40} signed the agreement/);
    expect(unknown.join()).toContain('is the treasury of the service');
  });

  it('agreed to nothing without an agreement', () => {
    const unagreed = { ...honest, receipt: { ...receipt, agreement: null } };
    const { service, cautions } = judged(undefined, unagreed);
    expect(service).toBe('A job of an unknown service.');
    expect(cautions.at(-1)).toMatch(/^Not agreed before payment: /);
    expect(judged(naming(), unagreed).broken?.problem).toBe(
      'The receipt has no agreement, but you named bot.example.com.',
    );
  });

  it.each<[string, NamedService, JobReport, string]>([
    ['another chain', { ...naming(), chainId: 998 }, honest, 'bot.example.com serves chain 998, but'],
    ['another key', naming({ agreementSigners: [STRANGER] }), honest, 'names no such key for 2027-01-15T08'],
    ['an earlier key', naming({ to: '2027-01-15T08:00:00.000Z' }), honest, 'names no such treasury'],
    ['a later key', naming({ from: '2027-01-15T08:00:01.000Z' }), honest, 'names no such treasury'],
    ['another treasury', naming(), feeTo(ACCOMPLICE), `The fee went to ${ACCOMPLICE} at 2027-01-15T08`],
  ])('rejects %s', (_, service, report, problem) => {
    expect(judged(service, report).broken).toEqual({ rule: 'service', problem: expect.stringContaining(problem) });
  });

  it('may change treasury and key while fees are pending', () => {
    const before = { treasury: ACCOMPLICE, to: '2027-01-15T09:00:00.000Z' };
    const after = { from: '2027-01-15T07:00:00.000Z' };
    for (const to of [ACCOMPLICE, TREASURY]) expect(judged(naming(before, after), feeTo(to)).broken).toBeUndefined();
  });

  it('pays for no job, also with a later treasury', () => {
    const paying = running((executor) =>
      Object.assign(executor, {
        isPaid: () =>
          executor.deposits.push({
            kind: 'transfer',
            pays: true,
            from: ACCOMPLICE,
            amountWei: `${executor.job.paidWei}`,
            ...((fact) => ({ transactionHash: fact.hash, blockNumber: fact.blockNumber }))(
              executor.chain.paid(ACCOMPLICE, executor.job.paidWei),
            ),
          }),
        refund: () => undefined,
      }),
    );
    const of = { ...paying, receipt: { ...paying.receipt, payer: ACCOMPLICE } };
    const later = { treasury: ACCOMPLICE, from: '2027-02-01T00:00:00.000Z' };
    expect(judged(naming({}, later), of).broken?.problem).toContain('its money must not trade');
  });
});

describe('an exchange that the verifier does not know', () => {
  const own = running((executor) => {
    const plan = executor.planOrder.bind(executor);
    executor.planOrder = (number) => ({ ...plan(number), router: ACCOMPLICE, pool: ACCOMPLICE });
  });

  it('proves no exchange', () => {
    expect(judged(naming(), own).broken?.rule).toBe('only_buys');
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
