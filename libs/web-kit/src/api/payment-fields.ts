import { isBoolean, isText, isTime, isWei, optional, type Shape, shape } from './answer-shape.ts';

// In a file of their own: a step that reads them does not carry the checks of all other answers.

/** What is shown of a plan where it comes with a job. */
export const isJobsPlan = shape({ expectedEndAt: isTime, latestEndAt: isTime });

/** What the specification names of a payment. Source: specification § 3. */
export const specifiedPaymentFields: Shape = { status: isText, paymentReceived: isBoolean };

/** What the gateway tells of it beside. */
export const addedPaymentFields: Shape = {
  jobId: isText,
  paymentAddress: isText,
  paymentAmountWei: isWei,
  paymentDeadline: isTime,
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
