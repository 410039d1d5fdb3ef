import type { Effort, Figure } from './figure.ts';
import { measurePolledAnswers } from './polled-answers.ts';
import { measureToldPayments } from './told-payments.ts';

/** What `npm run bench` measures, by name. */
export const PARTS: Readonly<Record<string, (effort: Effort) => Promise<Figure[]>>> = {
  'polled answers': measurePolledAnswers,
  'told payments': measureToldPayments,
};
