import type { JobPaymentResponse } from '@maker/contracts';
import { formatHype, formatUnits, MAXIMUM_PAYMENT_WEI } from '@maker/rules';
import type { PaymentAnswer } from '@maker/web-kit';

/** A sentence about what arrived. */
export interface PaymentAdvice {
  readonly kind: 'seen' | 'underpaid' | 'overpaid' | 'late' | 'dropped' | 'hypercore' | 'tokens';
  readonly text: string;
}

/** What `paymentAdvice` looks at. */
export type ArrivedMoney = Pick<
  JobPaymentResponse,
  | 'status'
  | 'paymentAmountWei'
  | 'paymentDeadline'
  | 'waitingWei'
  | 'receivedWei'
  | 'lateWei'
  | 'droppedWei'
  | 'hyperCoreWei'
  | 'foundTokens'
  | 'flags'
>;

/** Whether an answer tells of amounts: a server need not (specification § 3). */
export function tellsAmounts(payment: PaymentAnswer): payment is PaymentAnswer & ArrivedMoney {
  const { flags, paymentAmountWei, paymentDeadline, receivedWei, lateWei } = payment;
  return [flags, paymentAmountWei, paymentDeadline, receivedWei, lateWei].every((field) => field != null);
}

/**
 * Says in plain words that money was seen and is not confirmed yet; that too little, too much, or too late money arrived; or that some of
 * it has left the chain again; all of them can hold at once.
 * Source: design § 4 'Amounts'.
 * @param nowMs the visitor's clock, ms
 * @param timeOfDay prints the deadline, such as '14:05'
 * @param isPartReturned whether some of it came after the job had begun, and goes back
 */
export function paymentAdvice(
  money: ArrivedMoney,
  nowMs: number,
  timeOfDay: (iso: string) => string,
  isPartReturned = false,
): readonly PaymentAdvice[] {
  const advice: PaymentAdvice[] = [];
  if (money.waitingWei !== undefined) advice.push({ kind: 'seen', text: seen(money.waitingWei) });
  if (money.flags.underpaid) advice.push({ kind: 'underpaid', text: underpaid(money, nowMs, timeOfDay) });
  if (money.flags.overpaid) advice.push({ kind: 'overpaid', text: overpaid(money, isPartReturned) });
  if (money.flags.late) advice.push({ kind: 'late', text: late(money) });
  if (money.hyperCoreWei !== undefined) advice.push({ kind: 'hypercore', text: onHyperCore(money.hyperCoreWei) });
  if (money.foundTokens) advice.push({ kind: 'tokens', text: tokensFound(money.foundTokens) });
  if (money.droppedWei !== undefined) advice.push({ kind: 'dropped', text: dropped(money, BigInt(money.droppedWei)) });
  return advice;
}

function seen(wei: string): string {
  return `${formatHype(BigInt(wei))} HYPE seen on the network, waiting for confirmation.`;
}

function underpaid(money: ArrivedMoney, nowMs: number, timeOfDay: (iso: string) => string): string {
  const asked = BigInt(money.paymentAmountWei);
  const received = BigInt(money.receivedWei);
  const arrived = `${formatHype(received)} of ${formatHype(asked)} HYPE received`;
  if (money.status === 'pending_payment' && nowMs <= Date.parse(money.paymentDeadline)) {
    return `${arrived}, send ${formatHype(asked - received)} more before ${timeOfDay(money.paymentDeadline)}`;
  }
  return `${arrived} before the deadline, which is not enough to start. ${RETURNED}`;
}

function overpaid(money: ArrivedMoney, isPartReturned: boolean): string {
  const received = BigInt(money.receivedWei);
  const more = received - BigInt(money.paymentAmountWei);
  const base = `${formatHype(received)} HYPE received, ${formatHype(more)} more than asked.`;
  if (isPartReturned) return `${base} What came after the job had begun is returned.`;
  if (received > MAXIMUM_PAYMENT_WEI) {
    return `${base} ${formatHype(MAXIMUM_PAYMENT_WEI)} HYPE count towards your budget, the rest is returned.`;
  }
  return `${base} All of it counts towards your budget.`;
}

function late(money: ArrivedMoney): string {
  return `${formatHype(BigInt(money.lateWei))} HYPE arrived after the deadline and is not used for this job. ${RETURNED}`;
}

function dropped({ status }: ArrivedMoney, droppedWei: bigint): string {
  const base = `The network has taken back a block, and with it ${formatHype(droppedWei)} HYPE that had arrived.`;
  const again = 'Usually the network confirms the payment once more, and it counts again by itself';
  if (status === 'active') return `${base} ${again}; until then the job waits.`;
  if (status === 'pending_payment') return `${base} ${again}. Look in your wallet whether the payment is still there.`;
  return base;
}

const RETURNED =
  'It is returned to your return address or to the wallet that paid; if it came from a contract, contact support.';

function onHyperCore(wei: string): string {
  return `${formatHype(BigInt(wei))} HYPE came on HyperCore, where it pays for nothing: contact support.`;
}

function tokensFound(tokens: NonNullable<ArrivedMoney['foundTokens']>): string {
  const amounts = tokens.map(({ amount, symbol, decimals }) => `${formatUnits(BigInt(amount), decimals)} ${symbol}`);
  return `${amounts.join(' and ')} came here, where only HYPE pays for a job: contact support.`;
}
