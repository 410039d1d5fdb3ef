import type { JobStatusResponse, Receipt } from '@maker/contracts';
import { FEE_PERCENT } from '@maker/rules';
import { KeyValue, KeyValueList } from '@maker/ui';
import { hype, tokenAmount } from '../amounts.ts';
import { TransactionLink } from '../explorer-link.tsx';
import { depositOf } from './deposit-of.ts';

interface ReceiptLedgerProps {
  readonly receipt: Receipt;
  /** Transactions that paid for the job. */
  readonly deposits?: JobStatusResponse['depositTransactions'];
  readonly explorerUrl: string;
}

const TRANSFER_NAMES = { fee: 'Fee payment', delivery: 'Delivery', return: 'Return' } as const;

/** Where every part of the deposit went. */
export function ReceiptLedger({ receipt, deposits = [], explorerUrl }: ReceiptLedgerProps) {
  const { token, transfers, returnAddress, heldReason } = receipt;
  const deposit = depositOf(receipt);
  const held = heldText(receipt);
  return (
    <KeyValueList>
      <KeyValue name="Deposit">{hype(deposit.paidWei)}</KeyValue>
      {deposit.otherWei > 0n && <KeyValue name="Arrived besides, and goes back">{hype(deposit.otherWei)}</KeyValue>}
      <KeyValue name={`Service fee, ${FEE_PERCENT}%`}>{hype(receipt.feeWei)}</KeyValue>
      <KeyValue name="Spent on orders">{hype(receipt.tradedWei)}</KeyValue>
      <KeyValue name="Gas of all transactions">{hype(receipt.gasWei)}</KeyValue>
      <KeyValue name="Tokens delivered">
        {`${tokenAmount(receipt.deliveredTokens, token.decimals)} ${token.symbol}`}
      </KeyValue>
      <KeyValue name="HYPE returned">{hype(receipt.returnedWei)}</KeyValue>
      {(held !== undefined || heldReason !== undefined) && (
        <KeyValue name={heldReason === undefined ? 'Still in the job wallet' : 'Held by the operator'}>
          {[held ?? hype(0n), heldReason].filter(Boolean).join(': ')}
        </KeyValue>
      )}
      {returnAddress !== undefined && (
        <KeyValue name="Goes back to">
          <span className="code" translate="no">
            {returnAddress}
          </span>
        </KeyValue>
      )}
      {[...deposits.map(depositRow), ...transfers.map(transferRow)].map(({ name, transactionHash }) => (
        <KeyValue key={transactionHash} name={name}>
          <TransactionLink explorerUrl={explorerUrl} hash={transactionHash} />
        </KeyValue>
      ))}
    </KeyValueList>
  );
}

const depositRow = ({ transactionHash }: { readonly transactionHash: string }) => ({
  transactionHash,
  name: 'Deposit (mined)',
});

const transferRow = ({ kind, transactionHash, status }: Receipt['transfers'][number]) => ({
  transactionHash,
  name: `${TRANSFER_NAMES[kind]} (${status})`,
});

/** Such as '0.1 HYPE and 74.77 BOTH'; undefined where nothing is held or left. */
export function heldText({ heldWei, heldTokens = '0', token }: Receipt): string | undefined {
  const parts = [
    ...(heldWei === '0' ? [] : [hype(heldWei)]),
    ...(heldTokens === '0' ? [] : [`${tokenAmount(heldTokens, token.decimals)} ${token.symbol}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}
