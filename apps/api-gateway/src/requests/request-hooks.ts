import { REQUEST_ID_HEADER, type Readiness, runInSpan, runWithRequestId } from '@maker/service-kit';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { IdentifiedRequest } from '../access/identify.ts';
import { ApiError } from '../errors/api-error.ts';
import type { GatewayMetrics } from '../gateway.metrics.ts';
import { allowedMethods } from './allowed-methods.ts';
import { RequestTracing } from './request-tracing.ts';

/** Headers of every answer: what protects an API that answers with no documents. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;

/** Route configuration of a stream: `@RouteConfig(STREAM)`. */
export const STREAM = { stream: true } as const;

/** Route configuration of what every open page polls: answers that succeed are logged at debug level. */
export const POLLED = { polled: true } as const;

/**
 * What every request gets, matched or not: its id in the answer and in all that is logged and asked on its behalf, no
 * caching, one log line, its metrics and, while tracing is on, its span.
 */
export function addRequestHooks(
  server: FastifyInstance,
  readiness: Readiness,
  metrics: GatewayMetrics,
  logger: Logger,
): void {
  const tracing = new RequestTracing();
  server.addHook('onRequest', (request, reply, done) => {
    tracing.begin(request);
    void reply.headers(HEADERS).header(REQUEST_ID_HEADER, request.id);
    // Balancers choose a replica for each connection, not for each request: one that is kept would go on sending into a server that ends.
    if (readiness.draining) void reply.header('connection', 'close');
    // The router matched it: only HEAD may be one that Fastify added.
    if (request.method === 'GET' && !request.is404) return done();
    const allowed = allowedMethods(request.url.split('?', 1)[0] ?? '');
    if (!allowed || allowed.includes(request.method)) return done();
    void reply.header('allow', allowed.join(', '));
    done(new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not one of ${allowed.join(', ')}`));
  });
  // Later than onRequest: reading a body loses the asynchronous context that was set before it.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = tracing.spanOf(request);
    // A cached answer sends no request and writes no log line. A poll that is not cached sets the request id when it asks.
    if (!span && 'polled' in request.routeOptions.config) return done();
    runWithRequestId(request.id, () => runInSpan(span, done));
  });
  server.addHook('onResponse', (request, reply, done) => {
    // Without a url where no route matched.
    const { url: route, config } = request.routeOptions;
    const { statusCode: status, elapsedTime } = reply;
    const span = tracing.spanOf(request);
    tracing.end(request, reply, route);
    const durationMs = 'stream' in config ? undefined : elapsedTime;
    runInSpan(span, () => metrics.answered(request.method, route, status, durationMs));
    // The healthy answers of routes that are asked all the time would drown the log; metrics count them.
    const level = route === '/healthz' || ('polled' in config && status < 400) ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return done();
    const line = {
      requestId: request.id,
      traceId: span?.spanContext().traceId,
      method: request.method,
      route: route ?? 'unmatched',
      status,
      durationMs: Math.round(elapsedTime),
      apiKeyName: (request as IdentifiedRequest).apiKeyOwner?.name,
      apiKeyId: (request as IdentifiedRequest).apiKeyOwner?.keyId,
    };
    logger[level](line, 'request');
    done();
  });
}
