import { formatHype, formatUnits, MAXIMUM_PAYMENT_WEI } from '@maker/rules';
import type { PaymentAnswer } from '@maker/web-kit';

/** Kinds of advice, in the order in which the page shows them. */
const KINDS = ['seen', 'underpaid', 'overpaid', 'late', 'hypercore', 'tokens', 'dropped'] as const;

/** A sentence about received money. */
export interface PaymentAdvice {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}

/** Fields of an answer with amounts. */
const AMOUNTS = ['flags', 'paymentAmountWei', 'paymentDeadline', 'receivedWei', 'lateWei'] as const;

/** The input of `paymentAdvice`. */
export type ArrivedMoney = Omit<PaymentAnswer, 'paymentReceived'> &
  Required<Pick<PaymentAnswer, (typeof AMOUNTS)[number]>>;

/** Whether an answer has amounts: the specification does not require them (specification § 3). */
export function hasAmounts(payment: PaymentAnswer): payment is PaymentAnswer & ArrivedMoney {
  return AMOUNTS.every((name) => payment[name] != null);
}

/**
 * Explains in plain words which money arrived and what happened to it. Several sentences can apply. Source: design § 4 'Amounts'.
 * @param nowMs the server's time, ms
 * @param timeOfDay formats the deadline, such as '14:05'
 * @param isPartReturned whether a part arrived after the job had begun, and goes back
 */
export function paymentAdvice(
  money: ArrivedMoney,
  nowMs: number,
  timeOfDay: (iso: string) => string,
  isPartReturned = false,
): readonly PaymentAdvice[] {
  const { waitingWei, flags, lateWei, hyperCoreWei, foundTokens, droppedWei } = money;
  const texts: Readonly<Record<PaymentAdvice['kind'], string | false | undefined>> = {
    seen: waitingWei !== undefined && `${exactHype(waitingWei)} seen on the network, waiting for confirmation.`,
    underpaid: flags.underpaid && underpaid(money, nowMs, timeOfDay),
    overpaid: flags.overpaid && overpaid(money, isPartReturned),
    late: flags.late && `${exactHype(lateWei)} arrived after the deadline. It does not pay for this job. ${RETURNED}`,
    hypercore:
      hyperCoreWei !== undefined &&
      `${exactHype(hyperCoreWei)} arrived on HyperCore. It cannot pay here. Contact support.`,
    tokens: foundTokens && tokensFound(foundTokens),
    dropped: droppedWei !== undefined && dropped(money, droppedWei),
  };
  return KINDS.flatMap((kind) => (texts[kind] ? { kind, text: texts[kind] } : []));
}

/** With all digits, for a payer who sends the rest. */
const exactHype = (wei: string): string => `${formatHype(BigInt(wei))} HYPE`;

function underpaid(money: ArrivedMoney, nowMs: number, timeOfDay: (iso: string) => string): string {
  const asked = BigInt(money.paymentAmountWei);
  const received = BigInt(money.receivedWei);
  const arrived = `${formatHype(received)} of ${formatHype(asked)} HYPE received`;
  if (money.status === 'pending_payment' && nowMs <= Date.parse(money.paymentDeadline)) {
    return `${arrived}, send ${formatHype(asked - received)} more before ${timeOfDay(money.paymentDeadline)}`;
  }
  return `${arrived} before the deadline. That is not enough to start the job. ${RETURNED}`;
}

function overpaid(money: ArrivedMoney, isPartReturned: boolean): string {
  const received = BigInt(money.receivedWei);
  const more = received - BigInt(money.paymentAmountWei);
  const base = `${formatHype(received)} HYPE received, ${formatHype(more)} HYPE more than requested.`;
  if (isPartReturned) return `${base} The HYPE that arrived after the job started is refunded.`;
  if (received > MAXIMUM_PAYMENT_WEI) {
    return `${base} ${formatHype(MAXIMUM_PAYMENT_WEI)} HYPE counts towards your budget. The rest is returned.`;
  }
  return `${base} All of it counts towards your budget.`;
}

function dropped({ status }: ArrivedMoney, droppedWei: string): string {
  const base = `The network removed a block with ${exactHype(droppedWei)} that had arrived.`;
  const again = 'Usually the network confirms the payment again. It then counts automatically.';
  if (status === 'active') return `${base} ${again} Until then the job waits.`;
  if (status === 'pending_payment') return `${base} ${again} Check in your wallet that the payment is still listed.`;
  return base;
}

const RETURNED =
  'It is refunded to your return address or to the wallet that paid. If it came from a contract, contact support.';

function tokensFound(tokens: NonNullable<ArrivedMoney['foundTokens']>): string {
  const amounts = tokens.map(({ amount, symbol, decimals }) => `${formatUnits(BigInt(amount), decimals)} ${symbol}`);
  return `${amounts.join(' and ')} arrived here. Only HYPE pays for a job. Contact support.`;
}
