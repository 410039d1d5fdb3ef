import { GAS_LIMIT_CAP } from '@maker/chain';
import { fundsReleased, getJobPayment, refundHeld, type SignedCommand, type SignedText } from '@maker/contracts';
import {
  ABSENT,
  addEntries,
  type Execution,
  expectedBalance,
  factOf,
  freeBalance,
  heldBalance,
  ledgerEntry,
  neverRan,
  type Refund,
  StaleExecutionError,
  type WriteOutcome,
  type WrittenOff,
  writeOff,
} from '@maker/execution-records';
import { Outbox, RequestClient, RequestFailedError, RequestFailure } from '@maker/messaging';
import { inTransaction } from '@maker/persistence';
import { formatHype, isFinal } from '@maker/rules';
import { Injectable } from '@nestjs/common';
import { type Address, getAddress, isAddressEqual } from 'viem';
import { NotPossibleNow } from '../execution/not-possible-now.ts';
import { Apply } from '../runner/apply.ts';
import { TickSources } from '../runner/tick-sources.ts';
import { affordableFees, transferFees } from '../wallet/fees.ts';
import { decideRelease, holdsNothing, holdsTokens } from './decide-release.ts';
import { releasedParts } from './released-parts.ts';

/** A command about held money. */
export type ReleaseCommand = Extract<SignedText, { action: 'return' | 'release' }>;

/** Attempts to decide a command: the wallet's owner may write in between, a few times a block at most. */
const MOST_ATTEMPTS = 5;

const CHAIN_UNREAD = 'The chain cannot be read now';

/** Releases money and tokens held for an ended job, by an operator's command. */
@Injectable()
export class ReleaseFunds {
  constructor(
    private readonly sources: TickSources,
    private readonly apply: Apply,
    private readonly outbox: Outbox,
    private readonly requests: RequestClient,
  ) {}

  /**
   * @param release the command as it was signed: the execution keeps it, so that each transfer verifies its recipient again
   * @param signers operators who signed it @param write writes the outcome in the transaction of the changes
   * @returns the outcome, in a sentence @throws NotPossibleNow; or RequestFailure `SERVICE_UNAVAILABLE` if the chain cannot be
   * read or the job changed at each attempt: the command can be used again
   */
  async release(...asked: Parameters<ReleaseFunds['decide']>): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.decide(...asked);
      } catch (error) {
        // The wallet's owner wrote meanwhile, so this attempt changed nothing.
        if (!(error instanceof StaleExecutionError)) throw error;
        if (attempt === MOST_ATTEMPTS)
          throw new RequestFailure('SERVICE_UNAVAILABLE', 'The job changed meanwhile: send the command again');
      }
    }
  }

  private async decide(
    command: ReleaseCommand,
    release: SignedCommand,
    signers: number,
    write: WriteOutcome,
  ): Promise<string> {
    const { jobId } = command;
    const known = await this.sources.database.executions.find(jobId);
    const stored = known ?? (await this.unpaid(command));
    const tokens = command.tokens?.map((token) => getAddress(token)) ?? [];
    const missing = await this.missing(stored);
    const execution: Execution = { ...stored, ...missing?.change };
    const refunds = await this.sources.database.refunds.ofJob(jobId);
    const held = refunds.filter(({ state }) => state === 'held');
    const heldWei = heldBalance(stored.totals);
    if (BigInt(command.amountWei) !== heldWei)
      throw new NotPossibleNow(`${formatHype(heldWei)} HYPE are held, but the command names another sum`);
    if (missing && stored.endedAt && holdsNothing(execution) && tokens.length === 0)
      return this.giveUp(stored, missing, held, write);
    const isOfSeed = isAddressEqual(this.apply.seedAddress(stored.walletIndex), stored.walletAddress);
    const isRefused = stored.phase === 'refused';
    if (isRefused && isOfSeed && stored.activatedAt === undefined && held.length > 0)
      return this.reopen(stored, held, write);
    const wanted = command.action === 'release' ? await this.recipient(command.to, stored) : undefined;
    const proven = wanted ? {} : await this.provenPayer(stored);
    // A refused job has tried no refund yet: they go to their senders afterwards, by their own transfers.
    const { to, amountWei } = decideRelease(
      { ...execution, ...proven },
      isRefused ? [] : refunds,
      wanted,
      signers,
      isOfSeed,
      this.sources.rules.trust,
      tokens,
    );
    if (await this.sources.database.executions.isWallet(to))
      throw new NotPossibleNow('That is the wallet of another job');
    const releasedAt = new Date(this.sources.feed.now());
    const booked = { jobId, amountWei, recordedAt: releasedAt };
    const entry = ledgerEntry(`${jobId}/release/${stored.revision}`, 'released', booked);
    const gasFrom = command.gasFrom ? await this.recipient(command.gasFrom, stored) : null;
    const gas = this.gasNeeded(execution, amountWei, tokens.length);
    if (gas !== undefined && !gasFrom)
      throw new NotPossibleNow(`${gas} first name the address that sends it (--gas-from)`);
    const entries = [...(missing?.entries ?? []), ...(amountWei === 0n ? [] : [entry])];
    const change = {
      ...missing?.change,
      ...proven,
      release,
      phase: 'delivery' as const,
      returnAddress: to,
      releasedAt,
      gasFrom,
      otherTokens: tokens.filter((token) => !isAddressEqual(token, stored.tokenAddress)),
      attempts: null,
      heldReason: null,
      endedAt: null,
      totals: addEntries(stored.totals, entries),
    };
    const outcome = `${formatHype(amountWei)} HYPE and undelivered tokens are on their way to ${to}${gas ? `; ${gas} send it within an hour` : ''}`;
    await inTransaction(this.sources.database.connection, async (session) => {
      await write(outcome, session);
      if (!known) await this.apply.begin(stored, [], session);
      await this.apply.command(stored, change, entries, session);
      if (isRefused) await this.sources.database.refunds.enter(held, 'due', session);
      else await this.sources.database.refunds.releaseHeld(jobId, held.length, session);
      for (const part of releasedParts(amountWei, isRefused ? [] : held))
        await this.outbox.record(fundsReleased, { jobId, data: { to, ...part } }, session);
    });
    return outcome;
  }

  /**
   * The payer of a job without a return address, if the chain proves the payer now: a refused job has not asked for the proof, and hosts
   * may have recovered since. @throws RequestFailure while the hosts do not answer
   */
  private async provenPayer(execution: Execution): Promise<Pick<Execution, 'payerClaim'>> {
    const { payerClaim, depositWei, walletAddress: wallet } = execution;
    if (!payerClaim || payerClaim.isProven) return {};
    const { payer: sender, transfers } = payerClaim;
    if (transfers.reduce((sum, { amountWei }) => sum + amountWei, 0n) !== depositWei) return {};
    const verdict = await this.sources.proofs.prove({ sender, wallet, transfers });
    if (verdict === 'waiting')
      throw new RequestFailure('SERVICE_UNAVAILABLE', 'The chain does not prove the payer yet: send the command again');
    return verdict === 'proven' ? { payerClaim: { ...payerClaim, isProven: true } } : {};
  }

  /** Lets the refunds of a job that was never active begin, now that its wallet is of the seed. */
  private async reopen(execution: Execution, held: readonly Refund[], write: WriteOutcome): Promise<string> {
    const outcome = 'the wallet is of this seed again: its deposits are refunded';
    await inTransaction(this.sources.database.connection, async (session) => {
      await write(outcome, session);
      await this.apply.command(execution, { phase: 'never_ran', heldReason: null }, [], session);
      await this.sources.database.refunds.enter(held, 'due', session);
    });
    return outcome;
  }

  /** Returns an execution for a job that received only tokens, from the command's wallet. @throws NotPossibleNow without that */
  private async unpaid({ jobId, wallet, tokens }: ReleaseCommand): Promise<Execution> {
    if (!wallet || !tokens) throw new NotPossibleNow('This job has no execution');
    await this.assertEnded(jobId, wallet.address);
    const job = { jobId, walletIndex: wallet.index, walletAddress: wallet.address, tokenAddress: wallet.tokenAddress };
    return neverRan(job, this.apply.seedAddress(wallet.index), new Date(this.sources.feed.now()));
  }

  /** A job with an execution starts no other one. So a release must not create one for a job that may still be paid. */
  private async assertEnded(jobId: string, walletAddress: string): Promise<void> {
    const job = await this.requests.request(getJobPayment, { jobId }).catch((error: unknown) => {
      if (!(error instanceof RequestFailedError)) throw error;
      if (error.code === 'JOB_NOT_FOUND') throw new NotPossibleNow(error.message);
      throw new RequestFailure('SERVICE_UNAVAILABLE', 'The job service did not answer whether the job has ended');
    });
    if (!isFinal(job.status)) throw new NotPossibleNow('The job has not ended: release its tokens after its end');
    if (getAddress(job.paymentAddress) !== getAddress(walletAddress))
      throw new NotPossibleNow('That is not the wallet of this job');
  }

  private async recipient(typed: string, { tokenAddress }: Execution): Promise<Address> {
    const recipient = await this.sources.recipients.check(typed, tokenAddress).catch(() => {
      throw new RequestFailure('SERVICE_UNAVAILABLE', CHAIN_UNREAD);
    });
    if (!recipient.ok) throw new NotPossibleNow(recipient.problem);
    return getAddress(recipient.address);
  }

  /** Begins a sentence about the gas that a delivery lacks; undefined if the wallet can pay for it. */
  private gasNeeded({ totals, walletAddress }: Execution, releasedWei: bigint, tokens: number): string | undefined {
    const { head } = this.sources.feed;
    if (!head || (!holdsTokens(totals) && tokens === 0)) return undefined;
    const gasLimit = BigInt(GAS_LIMIT_CAP * Math.max(1, tokens));
    if (affordableFees(head.baseFeeWei, gasLimit, freeBalance(totals) + releasedWei)) return undefined;
    const needed = formatHype(gasLimit * transferFees(head.baseFeeWei).maxFeePerGasWei);
    return `the wallet cannot pay the gas of a delivery: ${walletAddress} needs ${needed} HYPE for it;`;
  }

  /** Books money as missing that the chain no longer shows: a release covers only money on the chain. */
  private async missing(execution: Execution): Promise<WrittenOff | undefined> {
    if (execution.driftWei >= 0n || (await this.isRechecked(execution.id))) return undefined;
    const { chain, feed } = this.sources;
    const expectedWei = expectedBalance(execution.totals);
    const balanceWei = feed.head && (await chain.balance(execution.walletAddress, feed.head.number, expectedWei));
    if (balanceWei === undefined) throw new RequestFailure('SERVICE_UNAVAILABLE', CHAIN_UNREAD);
    return writeOff(execution, balanceWei, new Date(feed.now()));
  }

  private async isRechecked(jobId: string): Promise<boolean> {
    const facts = (await this.sources.database.facts.of([jobId])).get(jobId) ?? [];
    return factOf(facts, 'recheck') !== undefined;
  }

  /** Nothing is left to send: books the missing money and reports each held refund as absent. */
  private async giveUp(
    execution: Execution,
    missing: WrittenOff,
    held: readonly Refund[],
    write: WriteOutcome,
  ): Promise<string> {
    const { id: jobId } = execution;
    const outcome = `${formatHype(missing.missingWei)} HYPE are booked as missing; nothing is left to release`;
    await inTransaction(this.sources.database.connection, async (session) => {
      await write(outcome, session);
      await this.apply.command(execution, { ...missing.change, heldReason: null }, missing.entries, session);
      for (const { id: returnId, amountWei } of held) {
        const data = { returnId, amountWei: amountWei.toString(), reason: ABSENT, absent: true as const };
        await this.outbox.record(refundHeld, { jobId, data }, session);
      }
    });
    return outcome;
  }
}
