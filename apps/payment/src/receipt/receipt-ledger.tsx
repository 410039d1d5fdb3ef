import type { JobStatusResponse, Receipt } from '@maker/contracts';
import { FEE_PERCENT, GAS_RESERVE_WEI, splitDeposit } from '@maker/rules';
import { KeyValue, KeyValueList } from '@maker/ui';
import { hype, tokenAmount } from '../amounts.ts';
import { TransactionLink } from '../explorer-link.tsx';
import { shownStatus } from './shown-status.ts';

interface ReceiptLedgerProps {
  readonly receipt: Receipt;
  /** Transactions that paid for the job. */
  readonly deposits?: JobStatusResponse['depositTransactions'];
  /** Refunds of money that pays for no order. */
  readonly refunds?: JobStatusResponse['returns'];
  readonly isEnded: boolean;
  readonly explorerUrl: string;
}

const TRANSFER_NAMES = {
  fee: 'Fee payment',
  delivery: 'Delivery',
  return: 'Return of',
  extra: 'Refund of extra',
} as const;

/** The use of every part of the deposit. */
export function ReceiptLedger({ receipt, deposits = [], refunds = [], isEnded, explorerUrl }: ReceiptLedgerProps) {
  const { token, transfers, returnAddress, heldReason } = receipt;
  const deposit = depositOf(receipt);
  const held = heldText(receipt);
  const transactions = [
    ...deposits.map(({ transactionHash }) => ({ name: 'Deposit (mined)', transactionHash })),
    ...transfers.map(({ kind, status, transactionHash, amount }) => {
      const isExtra = kind === 'return' && refunds.some((refund) => refund.transactionHash === transactionHash);
      const name = `${TRANSFER_NAMES[isExtra ? 'extra' : kind]}${kind === 'return' ? ` ${hype(amount)}` : ''}`;
      return { name: `${name} (${shownStatus(status)})`, transactionHash };
    }),
  ];
  // What a running job has not sent yet is no zero.
  const sent = (amount: string, text: string) => (amount === '0' && !isEnded ? 'pending' : text);
  return (
    <KeyValueList>
      <KeyValue name="Deposit">{hype(deposit.paidWei)}</KeyValue>
      {deposit.otherWei > 0n && <KeyValue name="Extra HYPE, refunded separately">{hype(deposit.otherWei)}</KeyValue>}
      <KeyValue name={`Service fee, ${FEE_PERCENT}%`}>{hype(receipt.feeWei)}</KeyValue>
      <KeyValue name="Spent on orders">{hype(receipt.tradedWei)}</KeyValue>
      <KeyValue name="Network fees in total">{hype(receipt.gasWei)}</KeyValue>
      <KeyValue name="Tokens delivered">
        {sent(receipt.deliveredTokens, `${tokenAmount(receipt.deliveredTokens, token.decimals)} ${token.symbol}`)}
      </KeyValue>
      <KeyValue name="HYPE returned">{sent(receipt.returnedWei, hype(receipt.returnedWei))}</KeyValue>
      {(held !== undefined || heldReason !== undefined) && (
        <KeyValue name={heldReason === undefined ? 'Still in the job wallet' : 'Held by the operator'}>
          {[held ?? hype(0n), heldReason].filter(Boolean).join(': ')}
        </KeyValue>
      )}
      {returnAddress !== undefined && (
        <KeyValue name="Return address">
          <span className="code" translate="no">
            {returnAddress}
          </span>
        </KeyValue>
      )}
      {transactions.map(({ name, transactionHash }) => (
        <KeyValue key={transactionHash} name={name}>
          <TransactionLink explorerUrl={explorerUrl} hash={transactionHash} />
        </KeyValue>
      ))}
    </KeyValueList>
  );
}

/** Such as '0.1 HYPE and 74.77 BOTH'; undefined if the wallet holds nothing. */
function heldText({ heldWei, heldTokens = '0', token }: Receipt): string | undefined {
  const parts = [
    ...(heldWei === '0' ? [] : [hype(heldWei)]),
    ...(heldTokens === '0' ? [] : [`${tokenAmount(heldTokens, token.decimals)} ${token.symbol}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Money that arrived for a job. All wei. */
interface Deposit {
  /** The payment: consists of fee, gas reserve and order budget. */
  readonly paidWei: bigint;
  /** Further money, such as a second payment; it goes back. */
  readonly otherWei: bigint;
}

/** Separates the payment, from which the fee was taken, from further money: the receipt has only their sum. Source: design § 4 'Budget'. */
export function depositOf(receipt: Pick<Receipt, 'depositWei' | 'orderBudgetWei'>): Deposit {
  const arrivedWei = BigInt(receipt.depositWei);
  const afterFeeWei = BigInt(receipt.orderBudgetWei) + GAS_RESERVE_WEI;
  // The fee is rounded down, so the quotient is the payment or one wei less.
  const nearWei = (afterFeeWei * 10n) / 7n;
  const paidWei = [nearWei, nearWei + 1n].find((wei) => {
    const { orderBudgetWei, reserveWei } = splitDeposit(wei);
    return orderBudgetWei + reserveWei === afterFeeWei;
  });
  if (paidWei === undefined || paidWei > arrivedWei) return { paidWei: arrivedWei, otherWei: 0n };
  return { paidWei, otherWei: arrivedWei - paidWei };
}
