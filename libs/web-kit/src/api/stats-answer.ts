import type { StatsResponse } from '@maker/contracts';
import { isNumber, isText, optional, shape } from './answer-shape.ts';

// In a separate file: the landing does not bundle the checks of all other answers.

/** Answer of `GET /stats`. */
export type StatsAnswer = Pick<StatsResponse, 'jobs'> & {
  readonly latestJob?: { readonly tokenAddress?: string | null } | null;
};

/** Whether a body is an answer of `GET /stats`. */
export const isStatsAnswer = shape<StatsAnswer>({
  jobs: shape({ active: isNumber }),
  latestJob: optional(shape({ tokenAddress: optional(isText) })),
});
