import { EVENT_SOURCES, listEvents } from './event-log.ts';
import * as market from './market.ts';
import * as operatorRequests from './operator-requests.ts';
import * as recipients from './recipients.ts';
import type { RequestSubject } from './request-contract.ts';
import * as requests from './subjects.ts';

const declared = Object.values({ ...requests, ...market, ...operatorRequests, ...recipients });

/** Subject of every request that exists. */
export const REQUEST_SUBJECTS: readonly RequestSubject[] = [
  ...declared.flatMap((one) => (typeof one === 'object' && 'subject' in one ? [one.subject] : [])),
  ...EVENT_SOURCES.map((source) => listEvents(source).subject),
].sort();
