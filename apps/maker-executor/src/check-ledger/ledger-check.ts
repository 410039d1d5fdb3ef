import { Clock, Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ChainAccess, type WalletBalance } from '../chain/chain-access.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { compareBalances } from '../ledger/compare-balances.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { addEntries, expectedBalance, LEDGER_KINDS, ledgerEntry } from '../ledger/ledger-entry.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';

/** Blocks between two checks of a wallet whose ledger and chain differ. */
const DRIFT_CHECK_BLOCKS = 5;

/** Blocks in which transactions that are open should settle and explain a difference. */
const DOUBT_BLOCKS = 10;

/** A wallet whose balance was never read in time sends nothing new once a check is due for so many times the time between two. */
const OVERDUE_CHECKS = 5;

/** The entries of a job do not add up to the totals that were written with them. */
export class LedgerBrokenError extends Error {
  readonly code = 'LEDGER_BROKEN';

  constructor(jobId: string, kind: string) {
    super(`The ledger of ${jobId} does not add up: '${kind}' differs from its entries`);
    this.name = 'LedgerBrokenError';
  }
}

/** Compares the ledger with the chain, and stops a wallet where they differ. Source: design § 5. */
@Injectable()
export class LedgerCheck {
  private readonly checkedAtMs = new Map<string, number>();
  private readonly checkedAtBlock = new Map<string, number>();
  /** Height at which a difference was first seen amid open transactions, by job. */
  private readonly doubtedSince = new Map<string, number>();
  /** When a check that was due first had no balance of its block, ms, by job. */
  private readonly missedSinceMs = new Map<string, number>();

  constructor(
    @Inject(MAKER_CONFIGURATION) private readonly configuration: MakerConfiguration,
    private readonly chain: ChainAccess,
    private readonly writer: ExecutionWriter,
    private readonly ledger: LedgerRepository,
    private readonly transactions: TransactionsRepository,
    private readonly clock: Clock,
    private readonly metrics: MakerMetrics,
    private readonly logger: Logger,
  ) {}

  /**
   * Reads the balance of a wallet that is to be checked amid its transactions. It is of the head only while that is the newest block,
   * so it is read before anything else is done at it: what follows may take longer than a block.
   */
  async readAhead(leased: LeasedExecution): Promise<WalletBalance | undefined> {
    const { execution, head, open } = leased;
    if (open.length === 0 || !this.isDue(leased)) return undefined;
    return this.chain.reading(execution.walletAddress, head.number);
  }

  /** Checks a wallet from time to time, and one that drifts more often. @param ahead see {@link readAhead} */
  async whenDue(leased: LeasedExecution, ahead: WalletBalance | undefined): Promise<LeasedExecution> {
    if (!this.isDue(leased)) return leased;
    return leased.open.length === 0 ? ((await this.now(leased)) ?? leased) : this.amidTransactions(leased, ahead);
  }

  private isDue({ execution, head }: LeasedExecution): boolean {
    const drifts = execution.driftWei !== 0n;
    if (execution.phase === 'fee' && !drifts) return false;
    const sinceCheckMs = this.clock.now() - (this.checkedAtMs.get(execution.id) ?? 0);
    const sinceCheckBlocks = head.number - (this.checkedAtBlock.get(execution.id) ?? 0);
    return drifts
      ? sinceCheckBlocks >= DRIFT_CHECK_BLOCKS
      : sinceCheckMs >= this.configuration.MAKER_RECONCILE_SECONDS * 1000;
  }

  /**
   * Whether only a wallet without open transactions can be judged: the last check found a difference, or none could be made for
   * long, as where looks take longer than blocks. Nothing new is to be sent.
   */
  isInDoubt(jobId: string): boolean {
    return this.doubtedSince.has(jobId) || this.isOverdue(jobId);
  }

  private isOverdue(jobId: string): boolean {
    const missedForMs = this.clock.now() - (this.missedSinceMs.get(jobId) ?? Infinity);
    return missedForMs >= OVERDUE_CHECKS * this.configuration.MAKER_RECONCILE_SECONDS * 1000;
  }

  /**
   * Checks a wallet that has no open transaction.
   * @returns the execution, of which `driftWei` is 0 where all is well; undefined where the endpoint lags behind the
   * head, or behind our transactions
   */
  async now(leased: LeasedExecution): Promise<LeasedExecution | undefined> {
    const { execution, head } = leased;
    this.checkedAtBlock.set(execution.id, head.number);
    const reading = await this.chain.reading(execution.walletAddress, head.number);
    if (reading === undefined) return undefined;
    const strangeNonces = await this.strangeNonces(leased);
    // The endpoint lags, or a reorganisation took our transactions, which `ReorgWatch` finds: neither can be compared.
    if (strangeNonces < 0n) return undefined;
    this.settled(execution.id);
    const result = compareBalances(expectedBalance(execution.totals), reading.balanceWei);
    if (result.kind === 'equal') return this.setDrift(leased, -strangeNonces);
    this.metrics.drift(result.kind);
    if (result.kind === 'missing') return this.setDrift(leased, -result.missingWei);
    return this.bookSurplus(leased, result.surplusWei, reading.blockNumber);
  }

  /**
   * Compares while transactions are open, so that a wallet that is never without one is checked as well: at a balance
   * of this very head, up to which every block was searched for its transactions. A difference stops new ones; if the
   * open ones do not settle and money is still missing, the wallet is stopped.
   */
  private async amidTransactions(
    leased: LeasedExecution,
    reading: WalletBalance | undefined,
  ): Promise<LeasedExecution> {
    const { execution, head, open } = leased;
    if (reading?.blockNumber !== head.number) {
      if (!this.missedSinceMs.has(execution.id)) this.missedSinceMs.set(execution.id, this.clock.now());
      return leased;
    }
    this.checkedAtBlock.set(execution.id, head.number);
    const left = open.reduce(
      (sum, { inclusion }) => (inclusion ? sum - inclusion.movedWei - inclusion.gasWei : sum),
      expectedBalance(execution.totals),
    );
    const result = compareBalances(left, reading.balanceWei);
    if (result.kind === 'equal') {
      this.settled(execution.id);
      return this.setDrift(leased, 0n);
    }
    const since = this.doubtedSince.get(execution.id) ?? head.number;
    this.doubtedSince.set(execution.id, since);
    if (result.kind !== 'missing' || head.number - since < DOUBT_BLOCKS) return leased;
    this.metrics.drift('missing');
    return this.setDrift(leased, -result.missingWei);
  }

  private settled(jobId: string): void {
    this.checkedAtMs.set(jobId, this.clock.now());
    this.doubtedSince.delete(jobId);
    this.missedSinceMs.delete(jobId);
  }

  /** Adds the entries up anew. @throws LedgerBrokenError */
  async addUp({ execution }: LeasedExecution): Promise<void> {
    const sums = await this.ledger.sum(execution.id);
    const differing = LEDGER_KINDS.find((kind) => sums[`${kind}Wei`] !== execution.totals[`${kind}Wei`]);
    if (!differing) return;
    this.metrics.drift('broken');
    throw new LedgerBrokenError(execution.id, differing);
  }

  /** Forgets a job that ended. */
  forget(jobId: string): void {
    this.checkedAtMs.delete(jobId);
    this.checkedAtBlock.delete(jobId);
    this.doubtedSince.delete(jobId);
    this.missedSinceMs.delete(jobId);
  }

  /**
   * Nonces used by transactions that are not ours: as bad as missing money, counted in wei for want of an amount. Fewer
   * than ours: below zero.
   */
  private async strangeNonces({ execution }: LeasedExecution): Promise<bigint> {
    const used = await this.chain.usedNonces(execution.walletAddress);
    const highest = await this.transactions.highestNonce(this.chain.network.chainId, execution.walletAddress);
    return highest === undefined ? 0n : BigInt(used - (highest + 1));
  }

  private async setDrift(leased: LeasedExecution, driftWei: bigint): Promise<LeasedExecution> {
    if (leased.execution.driftWei === driftWei) return leased;
    const { id: jobId, walletAddress } = leased.execution;
    const line = { jobId, walletAddress, driftWei: driftWei.toString() };
    if (driftWei === 0n) this.logger.info(line, 'ledger and chain agree again; the wallet goes on');
    else this.logger.error(line, 'the chain shows less than the ledger: the wallet is stopped');
    return this.writer.write(leased, { driftWei });
  }

  private async bookSurplus(
    leased: LeasedExecution,
    surplusWei: bigint,
    blockNumber: number,
  ): Promise<LeasedExecution> {
    const { execution } = leased;
    const entry = ledgerEntry(`${execution.id}/${execution.revision}`, 'surplus', {
      jobId: execution.id,
      amountWei: surplusWei,
      blockNumber,
      recordedAt: new Date(this.clock.now()),
    });
    this.logger.info(
      { jobId: execution.id, surplusWei: surplusWei.toString() },
      'money came to the wallet that its ledger did not expect: it is booked, and returned or held',
    );
    const change = { totals: addEntries(execution.totals, [entry]), driftWei: 0n, surplusAtBlock: blockNumber };
    return this.writer.write(leased, change, (session) => this.ledger.append([entry], session));
  }
}
