import { jobIdSchema } from '@maker/contracts';
import { runWithRequestId } from '@maker/service-kit';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeys } from '../access/api-keys.ts';
import { identify } from '../access/identify.ts';
import { ApiError } from '../errors/api-error.ts';
import { POLLED_ROUTES } from '../gateway.metrics.ts';
import { RateLimit } from '../rate-limit/rate-limit.ts';
import { edgeCopyOf } from '../requests/edge-copy.ts';
import { JSON_TYPE } from '../requests/json-type.ts';
import { POLLED } from '../requests/request-hooks.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

type PaymentRequest = FastifyRequest<{ Params: { jobId: string } }>;

/**
 * `GET /jobs/{jobId}/payment` and `GET /stats`, which every open page polls. They are plain Fastify routes, because Nest costs
 * more than an answer from memory; all hooks of the server apply. Source: docs/adr/0078.
 */
@Injectable()
export class PolledAnswers implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly snapshot: StatusSnapshot,
    private readonly keys: ApiKeys,
    private readonly limit: RateLimit,
  ) {}

  onModuleInit(): void {
    const server: FastifyInstance = this.http.httpAdapter.getInstance();
    const optionsOf = (route: string) => ({ config: POLLED, preHandler: this.admitTo(route) });
    const { payment, stats } = POLLED_ROUTES;
    server.get<{ Params: { jobId: string } }>(payment, optionsOf(payment), this.payment);
    server.get(stats, optionsOf(stats), this.stats);
  }

  private admitTo(route: string) {
    return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
      try {
        identify(request, this.keys, 'public');
        const counting = this.limit.admit(request, reply, route);
        if (counting) counting.then(() => done(), done);
        else done();
      } catch (error) {
        done(error as Error);
      }
    };
  }

  private readonly payment = (request: PaymentRequest, reply: FastifyReply): FastifyReply | Promise<void> => {
    const { jobId } = request.params;
    void reply.header('content-type', JSON_TYPE);
    const known = this.snapshot.cachedPayment(jobId);
    if (known !== undefined) return reply.send(known);
    if (!jobIdSchema.safeParse(jobId).success) throw new ApiError('JOB_NOT_FOUND', 'No job has this id');
    return runWithRequestId(request.id, () => this.snapshot.payment(jobId)).then((read) => void reply.send(read));
  };

  private readonly stats = (request: FastifyRequest, reply: FastifyReply): void | Promise<void> => {
    const known = this.snapshot.cachedStats();
    if (known !== undefined) return this.sendStats(known, request, reply);
    return runWithRequestId(request.id, () => this.snapshot.currentStats()).then((read) =>
      this.sendStats(read, request, reply),
    );
  };

  private sendStats(body: string, { headers }: FastifyRequest, reply: FastifyReply): void {
    const copy = edgeCopyOf(body);
    void reply.headers(copy.headers).header('content-type', JSON_TYPE);
    if (copy.isHeldBy(headers['if-none-match'])) void reply.code(304).send();
    else void reply.send(body);
  }
}
