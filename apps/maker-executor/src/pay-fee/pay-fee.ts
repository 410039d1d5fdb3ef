import { mayGoOtherwise, meaningOf, query, type TokenMetadata, tokenMetadata } from '@maker/chain';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { LedgerCheck } from '../check-ledger/ledger-check.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution, PhaseStep } from '../execution/leased-execution.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { transferFees } from '../send/fees.ts';
import { transferGasIfAccepted } from '../send/gas.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';

/** An endpoint that does not show the deposit is believed after this many blocks. */
const LAG_BLOCKS = 10;

/** Gas of all reads of a token's name together, which bounds what it may compute and answer. Plain ones take 50,000. */
const METADATA_GAS = 1_000_000n;

/** First transaction of a job: exactly 30 % to the treasury, once. Source: design § 4 'Fee'. */
@Injectable()
export class PayFee implements PhaseStep {
  /** Height at which the deposit was first missed, by job. */
  private readonly waitingSince = new Map<string, number>();

  constructor(
    @Inject(MAKER_CONFIGURATION) private readonly configuration: MakerConfiguration,
    private readonly chain: ChainAccess,
    private readonly sender: TransactionSender,
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    private readonly check: LedgerCheck,
    private readonly metrics: MakerMetrics,
  ) {}

  async advance(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head } = leased;
    if (leased.open.length > 0) return leased;
    if (execution.totals.feeWei === execution.feeWei) return this.beginTrading(leased);
    const [tried] = await this.transactions.ofPurposes(execution.id, ['fee']);
    if (tried) return this.endWithoutFee(leased);
    const balanceWei = await this.chain.balance(execution.walletAddress, head.number);
    if (balanceWei === undefined || balanceWei < execution.depositWei) return this.waitForDeposit(leased);
    this.waitingSince.delete(execution.id);
    const transfer = { from: execution.walletAddress, to: this.configuration.MAKER_TREASURY_ADDRESS };
    const gas = await transferGasIfAccepted(this.chain.client, { ...transfer, valueWei: execution.feeWei });
    if ('refusal' in gas) return this.endWithoutFee(leased);
    return this.sender.send(leased, [
      {
        id: `${execution.id}/fee`,
        purpose: 'fee',
        to: transfer.to,
        valueWei: execution.feeWei,
        data: '0x',
        gasLimit: gas.gasLimit,
        ...transferFees(head.baseFeeWei, head.tipWei),
      },
    ]);
  }

  /** The treasury is ours: nothing is bought without its fee, and the payer has the money back. */
  private async endWithoutFee(leased: LeasedExecution): Promise<LeasedExecution> {
    const ending = { kind: 'technical', message: 'the treasury refused the fee' } as const;
    const ended = await this.writer.write(leased, { phase: 'delivery', ending });
    this.metrics.feeRefused();
    return ended;
  }

  /** The endpoint may not have seen the deposit yet; after a while the deposit has left the chain. */
  private async waitForDeposit(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const since = this.waitingSince.get(execution.id) ?? head.number;
    this.waitingSince.set(execution.id, since);
    return head.number - since < LAG_BLOCKS ? leased : ((await this.check.now(leased)) ?? leased);
  }

  private async beginTrading(leased: LeasedExecution): Promise<LeasedExecution> {
    const metadata = await this.metadata(leased.execution.tokenAddress);
    return this.writer.write(leased, {
      phase: 'trading',
      nextOrderAtMs: leased.head.timestampMs,
      token: metadata ? { symbol: metadata.symbol, decimals: metadata.decimals } : null,
    });
  }

  /** What the receipt calls the token. One that uses up the gas of all reads with one of them stays without a name. */
  private async metadata(token: Address): Promise<TokenMetadata | undefined> {
    try {
      return await query(this.chain.client, tokenMetadata(token), METADATA_GAS);
    } catch (error) {
      if (mayGoOtherwise(meaningOf(error))) return undefined;
      throw error;
    }
  }
}
