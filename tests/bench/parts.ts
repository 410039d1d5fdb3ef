import type { Effort, Figure } from './figure.ts';
import { measurePolledAnswers } from './polled-answers.ts';

/** What `npm run bench` measures, by name. */
export const PARTS: Readonly<Record<string, (effort: Effort) => Promise<Figure[]>>> = {
  'polled answers': measurePolledAnswers,
};
