import { LOGGER, runWithRequestId } from '@maker/service-kit';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ApiError } from './api-error.ts';
import { errorBody } from './error-body.ts';

/** Answers every error with the error body, and logs those that are ours. */
@Catch()
export class ErrorBodyFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const body = errorBody(error, request.id);
    if (body.statusCode >= 500) {
      // Malformed bodies fail before the request's context exists, hence its id is set here again.
      runWithRequestId(request.id, () => this.logger.error({ err: error, code: body.code }, 'a request failed'));
    }
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (error instanceof ApiError && error.retryAfterSeconds !== undefined) {
      void reply.header('retry-after', error.retryAfterSeconds);
    }
    void reply.code(body.statusCode).type('application/json; charset=utf-8').send(body);
  }
}
