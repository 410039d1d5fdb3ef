import { isBoolean, isText, isTime, isWei, optional, type Shape, shape } from './answer-shape.ts';

// In a separate file: a step that needs them does not bundle the checks of all other answers.

/** The fields of a job's plan that a page shows. */
export const isJobsPlan = shape({ expectedEndAt: isTime, latestEndAt: isTime });

/** The payment fields of the specification. Source: specification § 3. */
export const specifiedPaymentFields: Shape = { status: isText, paymentReceived: isBoolean };

/** The gateway's additional payment fields. */
export const addedPaymentFields: Shape = {
  jobId: isText,
  paymentAddress: isText,
  paymentAmountWei: isWei,
  paymentDeadline: isTime,
  leastPaymentWei: optional(isWei),
  startableWei: optional(isWei),
  chainUnreachableSince: optional(isTime),
  waitingWei: optional(isWei),
  receivedWei: isWei,
  lateWei: isWei,
  droppedWei: optional(isWei),
  depositTransactions: optional(Array.isArray),
  foundTokens: optional(Array.isArray),
  namedReturnAddress: optional(isText),
  payerUnknown: optional(isBoolean),
  proposedReturnAddress: optional(isText),
  flags: shape({ underpaid: isBoolean, overpaid: isBoolean, late: isBoolean }),
};
