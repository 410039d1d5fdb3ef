import type { RequestContract } from '@maker/contracts';
import { isDatabaseOutage } from '@maker/persistence';
import { inSpan, REQUEST_ID_HEADER, runWithRequestId, TRACEPARENT_HEADER } from '@maker/service-kit';
import type { MsgHdrs } from '@nats-io/transport-node';
import { Logger } from '@nestjs/common';
import { Ctx, MessagePattern, type NatsContext, Payload, RpcException } from '@nestjs/microservices';
import { z } from 'zod';
import { RequestFailure } from './request-failure.ts';
import { TIME_LEFT_HEADER, whileWaited } from './time-left.ts';

type Handler<Request extends z.ZodType, Reply extends z.ZodType> = (
  payload: z.output<Request>,
) => Promise<z.input<Reply>> | z.input<Reply>;

const logger = new Logger('requests');

/**
 * Marks a controller's method as the handler of a NATS request. The method gets the validated payload and runs with the caller's
 * request id and trace. The caller gets `INVALID_REQUEST` for a payload of the wrong shape, a thrown {@link RequestFailure}'s own
 * code, `SERVICE_UNAVAILABLE` for an outage of the service's database, and `INTERNAL` for any other error. The service logs the
 * last two.
 */
export function HandleRequest<Request extends z.ZodType, Reply extends z.ZodType>(
  contract: RequestContract<Request, Reply>,
) {
  return <Method extends Handler<Request, Reply>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const handle = descriptor.value;
    if (!handle) throw new TypeError(`@HandleRequest on '${String(key)}', which is no method`);
    const answer = function (this: unknown, payload: unknown, context?: NatsContext) {
      const messageHeaders = context?.getHeaders() as MsgHdrs | undefined;
      const requestId = messageHeaders?.get(REQUEST_ID_HEADER) || undefined;
      const parent = messageHeaders?.get(TRACEPARENT_HEADER) || undefined;
      const traced = { kind: 'SERVER', attributes: { 'rpc.system': 'nats', 'rpc.method': contract.subject } } as const;
      return runWithRequestId(requestId, async () => {
        try {
          return await inSpan(contract.subject, { ...traced, parent }, async () =>
            whileWaited(messageHeaders?.get(TIME_LEFT_HEADER), () =>
              handle.call(this, parse(contract.request, payload)),
            ),
          );
        } catch (error) {
          throw refusal(contract.subject, error);
        }
      });
    };
    descriptor.value = answer as unknown as Method;
    // Without these decorators Nest passes only the payload, without the request id.
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    MessagePattern(contract.subject)(target, key, descriptor);
  };
}

function parse<Request extends z.ZodType>(schema: Request, payload: unknown): z.output<Request> {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) throw new RequestFailure('INVALID_REQUEST', z.prettifyError(parsed.error));
  return parsed.data;
}

function refusal(subject: string, error: unknown): RpcException {
  if (error instanceof RequestFailure) return new RpcException({ code: error.code, message: error.message });
  logger.error(
    `${subject} failed: ${error instanceof Error ? error.message : String(error)}`,
    error instanceof Error ? error.stack : undefined,
    'requests',
  );
  if (isDatabaseOutage(error)) {
    return new RpcException({ code: 'SERVICE_UNAVAILABLE', message: 'The service cannot answer at the moment' });
  }
  return new RpcException({ code: 'INTERNAL', message: 'The service failed to answer' });
}
