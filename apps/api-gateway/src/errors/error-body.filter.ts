import { RequestFailedError } from '@maker/messaging';
import { Logger, runWithRequestId } from '@maker/service-kit';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { errorBody } from './error-body.ts';

/** Codes of errors that usually end within minutes: their answers get a Retry-After header. */
const TEMPORARY: readonly string[] = ['TOO_MANY_OPEN_JOBS', 'NO_CAPACITY', 'OVERLOADED'];
const RETRY_AFTER_SECONDS = 60;

function retryAfter(error: unknown): number | undefined {
  if (error instanceof ApiError) return error.retryAfterSeconds;
  return error instanceof RequestFailedError && TEMPORARY.includes(error.code) ? RETRY_AFTER_SECONDS : undefined;
}

/** Answers every error with the error body, and logs server errors. */
@Catch()
export class ErrorBodyFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const body = errorBody(error, request.id);
    if (body.statusCode >= 500) {
      // Malformed bodies fail before the request's context exists, so its id is set here again.
      runWithRequestId(request.id, () => this.logger.error({ err: error, code: body.code }, 'request failed'));
    }
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    const retryAfterSeconds = retryAfter(error);
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds);
    void reply.code(body.statusCode).type('application/json; charset=utf-8').send(body);
  }
}
