import * as executionEvents from './execution-events.ts';
import * as jobEvents from './job-events.ts';
import * as paymentEvents from './payment-events.ts';
import * as refundEvents from './refund-events.ts';

const declared = Object.values({ ...executionEvents, ...jobEvents, ...paymentEvents, ...refundEvents });

/** Type of every event that exists. */
export const EVENT_TYPES: readonly string[] = declared
  .flatMap((one) => (typeof one === 'object' ? [one.type] : []))
  .sort();
