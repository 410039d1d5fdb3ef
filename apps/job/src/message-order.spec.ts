import { canTransition, leastStartingWei } from '@maker/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Deposit, isNewer, PAYS_FOR_JOB } from './deposit/deposit.ts';
import { completeJob, failJob } from './end-job/end-job.ts';
import { evaluatePayment, needsDeposits } from './evaluate-payment/evaluate-payment.ts';
import { expireJob } from './expire-job/expire-job.ts';
import { DEADLINE_MS, depositFixture, jobFixture } from './job/job.fixture.ts';
import type { Job } from './job/job.ts';
import type { JobChange, StatusTransition } from './job/job-change.ts';
import { countDeposit } from './record-deposit/count-deposit.ts';
import { planRefunds } from './refund-deposits/plan-refunds.ts';

type Message =
  | { readonly kind: 'deposit'; readonly deposit: Deposit }
  | { readonly kind: 'deadline_passed' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly reason: 'liquidity' | 'technical' };

/** State of a job after some messages. */
interface Outcome {
  readonly job: Job;
  readonly transitions: readonly StatusTransition[];
  /** Deposits by id, each with its purpose. */
  readonly deposits: ReadonlyMap<string, Deposit>;
  /** Payment that activated the job, wei. */
  readonly activatedWithWei: bigint | undefined;
}

/**
 * Handles messages as the service does: deposits once per id, all others by the pure decisions. A passed deadline steps aside while
 * maker-executor sees enough money in the wallet.
 */
function handleAll(messages: readonly Message[], walletWei = 0n): Outcome {
  let job = jobFixture({ paymentAmountWei: 100n });
  const deposits = new Map<string, Deposit>();
  const transitions: StatusTransition[] = [];
  let activatedWithWei: bigint | undefined;
  const aside = messages.filter(({ kind }) => kind === 'deadline_passed');
  [...messages, ...aside].forEach((message, nowMs) => {
    const leastWei = leastStartingWei(job.paymentAmountWei) + job.assessment.lateWei;
    if (message.kind === 'deadline_passed' && walletWei >= leastWei) return;
    const change = handle(job, deposits, message, nowMs);
    if (change?.transition) transitions.push(change.transition);
    job = change?.after ?? job;
    if (change?.transition?.to === 'active') activatedWithWei = job.payment?.amountWei;
    if (change) claim(change, deposits);
  });
  return { job, transitions, deposits, activatedWithWei };
}

/** Decides the purpose of deposits, as the service does in the transaction of each change. */
function claim({ after: job, paying = [] }: JobChange, deposits: Map<string, Deposit>): void {
  const give = (claimedBy: string) => (id: string) => {
    const deposit = deposits.get(id);
    if (!deposit || deposit.claimedBy !== undefined) throw new Error(`${id} is claimed twice`);
    deposits.set(id, { ...deposit, claimedBy });
  };
  paying.forEach(give(PAYS_FOR_JOB));
  const undecided = [...deposits.values()].filter(({ claimedBy, dropped }) => claimedBy === undefined && !dropped);
  for (const { depositIds } of planRefunds(job, undecided, new Set())) depositIds.forEach(give('return'));
}

function handle(job: Job, deposits: Map<string, Deposit>, message: Message, nowMs: number): JobChange | undefined {
  switch (message.kind) {
    case 'deposit': {
      const known = deposits.get(message.deposit.depositId);
      if (known && !isNewer(message.deposit, known)) return undefined;
      const { claimedBy } = known ?? {};
      deposits.set(message.deposit.depositId, { ...message.deposit, ...(claimedBy && { claimedBy }) });
      const counted = countDeposit(job, known ?? null, message.deposit);
      const evaluated = evaluatePayment(counted, needsDeposits(counted) ? [...deposits.values()] : [], nowMs);
      return { ...evaluated, before: job, after: evaluated?.after ?? counted };
    }
    case 'deadline_passed':
      return expireJob(job, needsDeposits(job) ? [...deposits.values()] : [], { receivedWei: 0n }, nowMs);
    case 'completed':
      return completeJob(job, nowMs);
    case 'failed':
      return failJob(job, message.reason, 'broke', nowMs);
  }
}

const depositArbitrary = fc
  .record({
    amountWei: fc.bigInt({ min: 1n, max: 120n }),
    blockTimestampMs: fc.constantFrom(DEADLINE_MS - 1, DEADLINE_MS, DEADLINE_MS + 1),
    kind: fc.constantFrom('transfer', 'internal', 'balance'),
    from: fc.constantFrom(`0x${'6'.repeat(40)}`, `0x${'4'.repeat(40)}`),
  })
  .map((fields) => depositFixture(fields));

const inTimeSum = (deposits: readonly Deposit[]) =>
  deposits
    .filter(({ blockTimestampMs }) => blockTimestampMs <= DEADLINE_MS)
    .reduce((sum, { amountWei }) => sum + amountWei, 0n);

const isOdd = ({ amountWei }: Deposit) => amountWei % 2n === 1n;
const sumOf = (deposits: readonly Deposit[]) => deposits.reduce((sum, { amountWei }) => sum + amountWei, 0n);

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  depositArbitrary.map((deposit): Message => ({ kind: 'deposit', deposit })),
  fc.constant<Message>({ kind: 'deadline_passed' }),
  fc.constant<Message>({ kind: 'completed' }),
  fc.record({ kind: fc.constant('failed' as const), reason: fc.constantFrom('liquidity', 'technical') }),
);

/** Asserts a property of the outcome of any messages, with repetitions. */
function forAnyMessages(holds: (handled: ReturnType<typeof handleAll>) => void): void {
  const messages = fc.array(anyMessage, { maxLength: 12 });
  const again = fc.array(fc.nat(11), { maxLength: 12 });
  fc.assert(
    fc.property(messages, again, (once, repeated) =>
      holds(handleAll([...once, ...repeated.flatMap((index) => once[index] ?? [])])),
    ),
  );
}

describe('any order and duplication of messages', () => {
  it('makes no illegal transition and at most two', () => {
    forAnyMessages(({ transitions }) => {
      let status: Job['status'] = 'pending_payment';
      for (const { from, to } of transitions) {
        expect(from).toBe(status);
        expect(canTransition(from, to)).toBe(true);
        status = to;
      }
      expect(transitions.length).toBeLessThanOrEqual(2);
    });
  });

  it('uses every deposit once, for payment or return', () => {
    forAnyMessages(({ job, deposits, activatedWithWei }) => {
      const all = [...deposits.values()];
      expect(all.every(({ dropped }) => !dropped)).toBe(true);
      if (job.status === 'pending_payment') expect(all.every(({ claimedBy }) => claimedBy === undefined)).toBe(true);
      else expect(all.every(({ claimedBy }) => claimedBy !== undefined)).toBe(true);
      const paying = all.filter(({ claimedBy }) => claimedBy === PAYS_FOR_JOB);
      expect(paying.reduce((sum, { amountWei }) => sum + amountWei, 0n)).toBe(activatedWithWei ?? 0n);
    });
  });

  it('matches the chain after any reorganisations', () => {
    fc.assert(
      fc.property(
        fc.array(depositArbitrary, { maxLength: 4 }).chain((deposits) => {
          const reports = deposits.flatMap((deposit) => [
            deposit,
            { ...deposit, dropped: true },
            { ...deposit, occurrence: 2, blockTimestampMs: DEADLINE_MS },
            ...(deposit.amountWei % 2n === 0n ? [{ ...deposit, occurrence: 2, dropped: true }] : []),
          ]);
          return fc.tuple(
            fc.constant(deposits),
            fc.shuffledSubarray([...reports, ...reports], { minLength: reports.length * 2 }),
          );
        }),
        ([deposits, reports]) => {
          const start = { ...jobFixture({ paymentAmountWei: 10_000n }) };
          const known = new Map<string, Deposit>();
          let job: Job = start;
          for (const deposit of reports) job = handle(job, known, { kind: 'deposit', deposit }, 0)?.after ?? job;
          const [mined, dropped] = [deposits.filter(isOdd), deposits.filter((deposit) => !isOdd(deposit))];
          expect(job.assessment.inTimeWei).toBe(sumOf(mined));
          expect(job.droppedWei).toBe(sumOf(dropped));
        },
      ),
    );
  });

  it('gives the same payment result in any order', () => {
    fc.assert(
      fc.property(
        fc.array(depositArbitrary, { maxLength: 6 }).chain((deposits) => {
          const truth: Message = { kind: 'deadline_passed' };
          const messages = [...deposits.map((deposit): Message => ({ kind: 'deposit', deposit })), truth];
          const twice = [...messages, ...messages];
          return fc.tuple(
            fc.constant(deposits),
            fc.shuffledSubarray(twice, { minLength: twice.length, maxLength: twice.length }),
          );
        }),
        ([deposits, messages]) => {
          const { job, transitions } = handleAll(messages, sumOf(deposits));
          expect(job.status).toBe(inTimeSum(deposits) >= 100n ? 'active' : 'payment_expired');
          expect(job.assessment.inTimeWei).toBe(inTimeSum(deposits));
          expect(transitions).toHaveLength(1);
        },
      ),
    );
  });
});
