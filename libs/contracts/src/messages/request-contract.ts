import type { z } from 'zod';

/** The service that answers requests, by the first part of their subjects: no two services answer under one part. */
const RESPONDERS = {
  chain: 'token-validation',
  job: 'job',
  'maker-executor': 'maker-executor',
  'payment-watcher': 'payment-watcher',
  receipt: 'maker-executor',
  receipts: 'receipts',
  seed: 'maker-executor',
  token: 'token-validation',
  webhook: 'webhook-sender',
} as const;

/** A service that answers requests. */
export type Responder = (typeof RESPONDERS)[keyof typeof RESPONDERS];

/** A subject whose first part names its responder. */
export type RequestSubject = `${keyof typeof RESPONDERS}.${string}`;

/** One NATS request with its reply. */
export interface RequestContract<Request extends z.ZodType, Reply extends z.ZodType> {
  readonly subject: RequestSubject;
  readonly request: Request;
  readonly reply: Reply;
}

export function contract<Request extends z.ZodType, Reply extends z.ZodType>(
  subject: RequestSubject,
  request: Request,
  reply: Reply,
): RequestContract<Request, Reply> {
  return { subject, request, reply };
}

/**
 * The one service that answers a request.
 * @throws RangeError for the subject of no contract
 */
export function responderOf(subject: string): Responder {
  const [first = ''] = subject.split('.', 1);
  if (!Object.hasOwn(RESPONDERS, first)) throw new RangeError(`No service answers '${subject}'`);
  return RESPONDERS[first as keyof typeof RESPONDERS];
}
