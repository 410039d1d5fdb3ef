import type { z } from 'zod';

/** One NATS request with its reply. */
export interface RequestContract<Request extends z.ZodType, Reply extends z.ZodType> {
  readonly subject: string;
  readonly request: Request;
  readonly reply: Reply;
}

export function contract<Request extends z.ZodType, Reply extends z.ZodType>(
  subject: string,
  request: Request,
  reply: Reply,
): RequestContract<Request, Reply> {
  return { subject, request, reply };
}
