import { beginSpan, endSpan, type Span, TRACEPARENT_HEADER } from '@maker/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Route that load balancers poll, which has no useful traces. */
const NOT_TRACED = '/healthz';

/** Spans of current requests. A span begins a trace, unless the caller sent the context of one. */
export class RequestTracing {
  private readonly spans = new WeakMap<FastifyRequest, Span>();

  begin(request: FastifyRequest): void {
    const { url, config } = request.routeOptions;
    if (url === NOT_TRACED) return;
    const traceparent = request.headers[TRACEPARENT_HEADER];
    // Otherwise most traces would be polls.
    if ('polled' in config && traceparent === undefined) return;
    const span = beginSpan(request.method, {
      kind: 'SERVER',
      attributes: { 'http.request.method': request.method },
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      origin: { requestId: request.id },
    });
    if (span) this.spans.set(request, span);
  }

  /** The span of a request; undefined if it is not traced. */
  spanOf(request: FastifyRequest): Span | undefined {
    return this.spans.get(request);
  }

  /** Ends a span. @param route template of the route, not the path, which may name a job and has any number of values */
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
