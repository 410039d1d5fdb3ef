import { measureAnnouncedPayments } from './announced-payments.ts';
import { measureCreations } from './creations.ts';
import { measureExecutors } from './executors.ts';
import type { Effort, Figure } from './figure.ts';
import { measureIdle } from './idle.ts';
import { measureLandingPaint } from './landing-paint.ts';
import { measureLiveChannels } from './live-channels.ts';
import { measureMemory } from './memory.ts';
import { measureOrders } from './orders.ts';
import { measurePolledAnswers } from './polled-answers.ts';
import { measureStarts } from './starts.ts';
import { measureVisitors } from './visitors.ts';
import { measureWatchedAddresses } from './watched-addresses.ts';

/** The parts of `npm run bench`, by name. */
export const PARTS: Readonly<Record<string, (effort: Effort) => Promise<Figure[]>>> = {
  'polled answers': measurePolledAnswers,
  visitors: measureVisitors,
  'live channels': measureLiveChannels,
  creations: measureCreations,
  'announced payments': measureAnnouncedPayments,
  'watched addresses': measureWatchedAddresses,
  orders: measureOrders,
  executors: measureExecutors,
  idle: measureIdle,
  memory: measureMemory,
  'landing paint': measureLandingPaint,
  starts: measureStarts,
};
