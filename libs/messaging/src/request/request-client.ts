import { type RequestContract, requestFailureSchema } from '@maker/contracts';
import { currentOrigin, inSpan, REQUEST_ID_HEADER, TRACEPARENT_HEADER } from '@maker/service-kit';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { NatsRecordBuilder } from '@nestjs/microservices';
import { firstValueFrom, TimeoutError, timeout } from 'rxjs';
import type { z } from 'zod';
import type { NatsMetrics, RequestOutcome } from '../messaging.metrics.ts';
import type { InboxClient } from './inbox-client.ts';
import { RequestFailedError } from './request-failure.ts';
import { TIME_LEFT_HEADER, timeLeft } from './time-left.ts';

const DEFAULT_TIMEOUT_MS = 5000;

/** Sends requests to other services over NATS. Every request has a timeout: core NATS does not report a service that never answers. */
export class RequestClient {
  constructor(
    private readonly client: InboxClient,
    private readonly metrics: NatsMetrics,
    private readonly usualTimeoutMs = DEFAULT_TIMEOUT_MS,
  ) {}

  /**
   * Sends a request and waits for the answer. Its headers carry the current request id and trace context.
   * @param timeoutMs ms; by default the service's usual timeout
   * @throws RequestFailedError with the other service's code, `SERVICE_TIMEOUT` or `SERVICE_UNAVAILABLE`
   */
  async request<Request extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Request, Reply>,
    payload: z.input<Request>,
    timeoutMs = this.usualTimeoutMs,
  ): Promise<z.output<Reply>> {
    const { subject } = contract;
    const attributes = { 'rpc.system': 'nats', 'rpc.method': subject };
    return inSpan(subject, { kind: 'CLIENT', attributes }, async () => {
      const record = new NatsRecordBuilder(payload).setHeaders(requestHeaders(timeoutMs)).build();
      const askedAt = performance.now();
      const ended = (outcome: RequestOutcome) => this.metrics.requested(subject, outcome, performance.now() - askedAt);
      try {
        const reply = await firstValueFrom(this.client.send(subject, record).pipe(timeout(timeoutMs)));
        const answer = contract.reply.parse(reply);
        ended('answered');
        return answer;
      } catch (error) {
        const failure = toFailure(error, subject, timeoutMs);
        ended(outcomeOf(failure));
        throw failure;
      }
    });
  }
}

function requestHeaders(timeoutMs: number): MsgHdrs {
  const { requestId, traceparent } = currentOrigin();
  const messageHeaders = headers();
  if (requestId !== undefined) messageHeaders.set(REQUEST_ID_HEADER, requestId);
  if (traceparent !== undefined) messageHeaders.set(TRACEPARENT_HEADER, traceparent);
  messageHeaders.set(TIME_LEFT_HEADER, String(Math.max(0, Math.floor(Math.min(timeoutMs, timeLeft() ?? timeoutMs)))));
  return messageHeaders;
}

function outcomeOf(failure: RequestFailedError): RequestOutcome {
  if (failure.code === 'SERVICE_TIMEOUT') return 'timeout';
  if (failure.code === 'SERVICE_UNAVAILABLE') return 'unavailable';
  return failure.code === 'INTERNAL' ? 'failed' : 'refused';
}

function toFailure(error: unknown, subject: string, timeoutMs: number): RequestFailedError {
  if (error instanceof TimeoutError) {
    return new RequestFailedError('SERVICE_TIMEOUT', `No answer to ${subject} within ${timeoutMs} ms`, {
      cause: error,
    });
  }
  const refusal = requestFailureSchema.safeParse(error);
  if (refusal.success && !(error instanceof Error))
    return new RequestFailedError(refusal.data.code, refusal.data.message);
  return new RequestFailedError('SERVICE_UNAVAILABLE', `No service could answer ${subject}`, { cause: error });
}
