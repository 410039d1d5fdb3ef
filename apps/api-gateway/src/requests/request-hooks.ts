import { REQUEST_ID_HEADER, type Readiness, runInSpan, runWithRequestId } from '@maker/service-kit';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { IdentifiedRequest } from '../access/identify.ts';
import { ApiError } from '../errors/api-error.ts';
import type { GatewayMetrics } from '../gateway.metrics.ts';
import { allowedMethods } from './allowed-methods.ts';
import { RequestTracing } from './request-tracing.ts';

/** Headers of every answer: the security headers of an API without HTML documents. */
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

/** Route configuration of polled routes: their successful answers are logged at debug level. */
export const POLLED = { polled: true } as const;

/**
 * Adds the hooks of every request, with or without a route: its id in the answer, the log and requests to services; the headers;
 * one log line; metrics; and a span while tracing is on.
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
    // Load balancers choose a replica for each connection, so a kept connection would send further requests to a server that stops.
    if (readiness.draining) void reply.header('connection', 'close');
    // A GET with a route is allowed. HEAD is checked below, because Fastify adds HEAD routes.
    if (request.method === 'GET' && !request.is404) return done();
    const allowed = allowedMethods(request.url.split('?', 1)[0] ?? '');
    if (!allowed || allowed.includes(request.method)) return done();
    void reply.header('allow', allowed.join(', '));
    done(new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not one of ${allowed.join(', ')}`));
  });
  // After onRequest, because reading a body loses an asynchronous context that was set before.
  server.addHook('preHandler', (request, _reply, done) => {
    // No request with a body has parameters: in a query they would be ignored, money's recipient included.
    if (request.method === 'POST' && Object.keys(request.query ?? {}).length > 0) {
      return done(new ApiError('INVALID_REQUEST', 'A POST has no query: send each field in the body'));
    }
    const span = tracing.spanOf(request);
    // A cached answer sends no request and writes no log line. An uncached poll sets the request id itself.
    if (!span && 'polled' in request.routeOptions.config) return done();
    runWithRequestId(request.id, () => runInSpan(span, done));
  });
  server.addHook('onResponse', (request, reply, done) => {
    // `url` is undefined if no route matched.
    const { url: route, config } = request.routeOptions;
    const { statusCode: status, elapsedTime } = reply;
    const span = tracing.spanOf(request);
    tracing.end(request, reply, route);
    const durationMs = 'stream' in config ? undefined : elapsedTime;
    runInSpan(span, () => metrics.answered(request.method, route, status, durationMs));
    // Successful answers of polled routes would flood the log; metrics count them.
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
