import { erc20Abi } from '@maker/chain';
import { Clock, Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type Address, encodeFunctionData } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { type Attempts, addAttempt, beginAttempts, isExhausted, isTooEarly } from '../execution/attempts.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import { addReason, NO_GAS } from '../execution/held-reason.ts';
import type { LeasedExecution, PhaseStep } from '../execution/leased-execution.ts';
import { LedgerRepository } from '../ledger/ledger.repository.ts';
import { addEntries, ledgerEntry, reversed } from '../ledger/ledger-entry.ts';
import { ownBalance, type Refund } from '../refund/refund.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import { affordableFees } from '../send/fees.ts';
import { transferGasIfAccepted } from '../send/gas.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { type TransactionRecord, wasReverted } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { isDelivered, toldInVain } from './is-delivered.ts';

/** An endpoint that shows fewer tokens than were bought is believed after this time: some tokens take a fee. */
const LAG_MS = 10_000;

/** Time after which a delivery is given up, whatever it waits for: the unspent HYPE waits behind it. */
const GIVEN_UP_AFTER_MS = 600_000;

/** An operator who releases tokens has this time to send the gas. Source: docs/adr/0028. */
const GAS_AWAITED_MS = 3_600_000;
const GAS_LOOKED_FOR_MS = 10_000;

/**
 * Sends all that was bought to the return address, in one transfer. The token decides whether that succeeds, so it is tried a
 * few times; what stays in the wallet is held. Source: design §§ 2.2 and 4.
 */
@Injectable()
export class Deliver implements PhaseStep {
  constructor(
    private readonly chain: ChainAccess,
    private readonly sender: TransactionSender,
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    private readonly refunds: RefundsRepository,
    private readonly ledger: LedgerRepository,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async advance(leased: LeasedExecution): Promise<LeasedExecution> {
    if (leased.open.length > 0) return leased;
    const nowMs = leased.head.timestampMs;
    const { attempts, releasedAt, cancelled, returnAddress } = leased.execution;
    // Kept before anything is asked of the token, so that its end comes whatever the token answers.
    if (!attempts) return this.advance(await this.writer.write(leased, { attempts: beginAttempts(nowMs) }));
    const patienceMs = releasedAt === null ? GIVEN_UP_AFTER_MS : GAS_AWAITED_MS;
    if (nowMs - attempts.sinceMs >= patienceMs)
      return this.goOn(leased, attempts.refusal ?? 'the tokens could not be delivered in time');
    if (isTooEarly(attempts, nowMs, cancelled)) return leased;
    const tokens = await this.chain.tokens(leased.execution.tokenAddress, leased.execution.walletAddress);
    const { totals } = leased.execution;
    const toldWei = tokens === undefined ? 0n : toldInVain(totals, tokens, attempts.lastTransfer);
    if (toldWei > 0n) return this.advance(await this.takeBack(leased, toldWei));
    if (tokens === undefined && totals.boughtWei === 0n) return this.goOn(leased, null);
    if (tokens === undefined) return this.refused(leased, attempts, 'the token does not tell what the wallet holds');
    const isLagging = totals.deliveredWei === 0n && tokens < totals.boughtWei && nowMs - attempts.sinceMs < LAG_MS;
    if (isLagging) return leased;
    if (isDelivered(totals, tokens)) return this.goOn(leased, null);
    if (tokens === 0n) return this.goOn(leased, 'the wallet shows none of the bought tokens');
    if (returnAddress === null) return this.goOn(leased, 'no return address is known');
    return this.deliver(leased, attempts, tokens, returnAddress);
  }

  private async deliver(
    leased: LeasedExecution,
    attempts: Attempts,
    tokens: bigint,
    returnAddress: Address,
  ): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const tried = await this.transactions.ofPurposes(execution.id, ['delivery']);
    if (isExhausted(attempts)) return this.goOn(leased, reasonAfter(tried));

    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [returnAddress, tokens] });
    const gas = await transferGasIfAccepted(this.chain.client, {
      from: execution.walletAddress,
      to: execution.tokenAddress,
      valueWei: 0n,
      data,
    });
    if ('refusal' in gas) return this.refused(leased, attempts, `the token cannot be delivered: it ${gas.refusal}`);
    const refunds = await this.refunds.ofJob(execution.id);
    const isGas = ({ state, to }: Refund) => state === 'due' && to !== null && to === execution.gasFrom;
    const ownWei = ownBalance(
      execution,
      refunds.filter((refund) => !isGas(refund)),
    );
    const fees = affordableFees(head.baseFeeWei, BigInt(gas.gasLimit), ownWei);
    if (!fees) return this.waitForGas(leased, attempts);
    return this.sender.send(
      leased,
      [
        {
          id: `${execution.id}/delivery/${tried.length + 1}`,
          purpose: 'delivery',
          to: execution.tokenAddress,
          valueWei: 0n,
          data,
          gasLimit: gas.gasLimit,
          ...fees,
        },
      ],
      {
        change: {
          attempts: {
            ...addAttempt(attempts, head.timestampMs),
            lastTransfer: { sentTokens: tokens, deliveredTokens: execution.totals.deliveredWei },
          },
        },
      },
    );
  }

  /** What the token said in events had left the wallet, and is there, was not delivered. */
  private takeBack(leased: LeasedExecution, amountWei: bigint): Promise<LeasedExecution> {
    const { id: jobId, revision, totals } = leased.execution;
    const recordedAt = new Date(this.clock.now());
    const fields = { jobId, amountWei, blockNumber: leased.head.number, recordedAt };
    const entry = reversed(ledgerEntry(`${jobId}/undelivered/${revision}`, 'delivered', fields), recordedAt);
    const change = { totals: addEntries(totals, [entry]) };
    return this.writer.write(leased, change, (session) => this.ledger.append([entry], session));
  }

  private async refused(leased: LeasedExecution, attempts: Attempts, refusal: string): Promise<LeasedExecution> {
    const after = addAttempt(attempts, leased.head.timestampMs, refusal);
    return isExhausted(after) ? this.goOn(leased, refusal) : this.writer.write(leased, { attempts: after });
  }

  /** Only what an operator released is worth waiting for: nobody else brings gas. */
  private waitForGas(leased: LeasedExecution, attempts: Attempts): Promise<LeasedExecution> {
    if (leased.execution.releasedAt === null) return this.goOn(leased, NO_GAS);
    const nextAtMs = leased.head.timestampMs + GAS_LOOKED_FOR_MS;
    return this.writer.write(leased, { attempts: { ...attempts, nextAtMs, refusal: NO_GAS } });
  }

  private goOn(leased: LeasedExecution, heldReason: string | null): Promise<LeasedExecution> {
    const { id: jobId } = leased.execution;
    if (heldReason) this.logger.error({ jobId, heldReason }, 'the bought tokens are held for an operator');
    const before = leased.execution.heldReason;
    return this.writer.write(leased, {
      phase: 'return',
      attempts: null,
      heldReason: heldReason === null ? before : addReason(before, heldReason),
    });
  }
}

/** Why tokens are still in the wallet after the last attempt. */
function reasonAfter(tried: readonly TransactionRecord[]): string {
  const last = tried.at(-1);
  return last && wasReverted(last)
    ? 'the token reverted its delivery'
    : 'the token was delivered and is still in the wallet';
}
