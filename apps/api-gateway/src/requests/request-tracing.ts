import { beginSpan, endSpan, type Span, TRACEPARENT_HEADER } from '@maker/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Asked by load balancers all the time, and tells nothing. */
const NOT_TRACED = '/healthz';

/** The spans of the requests being served, where every trace begins unless the caller is part of one. */
export class RequestTracing {
  private readonly spans = new WeakMap<FastifyRequest, Span>();

  begin(request: FastifyRequest): void {
    const { url, config } = request.routeOptions;
    if (url === NOT_TRACED) return;
    const traceparent = request.headers[TRACEPARENT_HEADER];
    // Polls would be most of all traces.
    if ('polled' in config && traceparent === undefined) return;
    const span = beginSpan(request.method, {
      kind: 'SERVER',
      attributes: { 'http.request.method': request.method },
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      origin: { requestId: request.id },
    });
    if (span) this.spans.set(request, span);
  }

  /** The span of a request; undefined where it is part of no trace. */
  spanOf(request: FastifyRequest): Span | undefined {
    return this.spans.get(request);
  }

  /** @param route template of the route, never the path: it may name a job, and every stranger's differs */
  end(request: FastifyRequest, { statusCode }: FastifyReply, route: string | undefined): void {
    const span = this.spans.get(request);
    if (!span) return;
    span.updateName(`${request.method} ${route ?? 'unmatched'}`);
    span.setAttributes({
      'http.response.status_code': statusCode,
      ...(route !== undefined && { 'http.route': route }),
    });
    endSpan(span, statusCode >= 500 ? String(statusCode) : undefined);
  }
}
