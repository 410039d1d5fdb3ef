import { FEE_PERCENT, formatHype, splitDeposit } from '@maker/rules';
import { KeyValue, KeyValueList, Surface } from '@maker/ui';
import { note } from './note.module.css';

/** Where the chosen budget goes, before anything is paid. @param amountWei wei; undefined while nothing valid is chosen */
export function BudgetSplit({ amountWei }: { readonly amountWei: bigint | undefined }) {
  const split = amountWei === undefined ? undefined : splitDeposit(amountWei);
  const hype = (wei: bigint | undefined) => (wei === undefined ? '–' : `${formatHype(wei)} HYPE`);
  return (
    <Surface title="Where your HYPE goes">
      <KeyValueList>
        <KeyValue name="You send">{hype(amountWei)}</KeyValue>
        <KeyValue name={`Service fee, ${FEE_PERCENT}%`}>{hype(split?.feeWei)}</KeyValue>
        <KeyValue name="Reserve for gas">{hype(split?.reserveWei)}</KeyValue>
        <KeyValue name="Buys your token">{hype(split?.orderBudgetWei)}</KeyValue>
      </KeyValueList>
      <p className={note}>
        Every token that is bought is delivered to you. What is not spent of the reserve and the orders comes back.
      </p>
    </Surface>
  );
}
