import { REQUEST_ID_HEADER, runWithRequestId } from '@maker/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { IdentifiedRequest } from '../access/api-key.guard.ts';
import { ApiError } from '../errors/api-error.ts';
import type { GatewayMetrics } from '../gateway.metrics.ts';
import { allowedMethods } from './allowed-methods.ts';
import { RequestTracing } from './request-tracing.ts';

/** Route configuration of a stream: `@RouteConfig(STREAM)`. */
export const STREAM = { stream: true } as const;

const isStream = ({ routeOptions }: FastifyRequest) => 'stream' in routeOptions.config;

/**
 * What every request gets, matched or not: its id in the answer and in all that is logged and asked on its behalf, no
 * caching, one log line, its metrics and, while tracing is on, its span.
 */
export function addRequestHooks(server: FastifyInstance, metrics: GatewayMetrics, logger: Logger): void {
  const tracing = new RequestTracing();
  server.addHook('onRequest', (request, reply, done) => {
    tracing.begin(request);
    void reply.header(REQUEST_ID_HEADER, request.id).header('cache-control', 'no-store');
    done();
  });
  server.addHook('onRequest', (request, reply, done) => {
    const allowed = allowedMethods(request.url.split('?', 1)[0] ?? '');
    if (!allowed || allowed.includes(request.method)) return done();
    void reply.header('allow', allowed.join(', '));
    done(new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not one of ${allowed.join(', ')}`));
  });
  // Later than onRequest: reading a body loses the asynchronous context that was set before it.
  server.addHook('preHandler', (request, _reply, done) => {
    runWithRequestId(request.id, () => tracing.within(request, done));
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    const { statusCode, elapsedTime } = reply;
    tracing.end(request, reply, route);
    const durationMs = isStream(request) ? undefined : elapsedTime;
    tracing.within(request, () => metrics.answered(request.method, route, statusCode, durationMs));
    const line = {
      requestId: request.id,
      traceId: tracing.traceIdOf(request),
      method: request.method,
      route: route ?? 'unmatched',
      status: statusCode,
      durationMs: Math.round(elapsedTime),
      apiKeyName: (request as IdentifiedRequest).apiKeyOwner?.name,
      apiKeyId: (request as IdentifiedRequest).apiKeyOwner?.keyId,
    };
    logger[route === '/healthz' ? 'debug' : 'info'](line, 'request');
    done();
  });
}
