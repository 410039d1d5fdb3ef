import { STATUS_CODES } from 'node:http';
import { type ErrorBody, FAILURE_STATUS, type FailureCode } from '@maker/contracts';
import { RequestFailedError } from '@maker/messaging';
import { HttpException } from '@nestjs/common';
import { ApiError } from './api-error.ts';

/** Messages of errors whose details the caller must not see. */
const PLAIN_MESSAGES: Partial<Record<FailureCode, string>> = {
  INTERNAL: 'Something went wrong on our side',
  SERVICE_UNAVAILABLE: 'The service is not available at the moment',
  SERVICE_TIMEOUT: 'The service did not answer in time',
};

/** The code of an error that has only a status. */
const CODE_BY_STATUS: Readonly<Record<number, FailureCode>> = {
  400: 'INVALID_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  // A path segment that is longer than any id: no route answers it.
  414: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
  504: 'SERVICE_TIMEOUT',
};

/**
 * Turns an error into an HTTP answer; no other code does. It has the specification's error body and a status from
 * FAILURE_STATUS. An unknown error becomes a plain 500 without details.
 */
export function errorBody(error: unknown, requestId: string | undefined): ErrorBody {
  const { code, message } = describe(error);
  const statusCode = FAILURE_STATUS[code];
  return {
    message: PLAIN_MESSAGES[code] ?? message,
    error: STATUS_CODES[statusCode] ?? 'Error',
    statusCode,
    code,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function describe(error: unknown): { code: FailureCode; message: string } {
  if (error instanceof ApiError) return error;
  if (error instanceof RequestFailedError) {
    return { code: isFailureCode(error.code) ? error.code : 'INTERNAL', message: error.message };
  }
  if (error instanceof HttpException) return ofStatus(error.getStatus(), withoutPath(error));
  if (isClientFault(error)) return ofStatus(error.statusCode, withoutPath(error));
  return { code: 'INTERNAL', message: '' };
}

const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(FAILURE_STATUS, code);

/** Replaces messages of the router that repeat the path, which may contain a key by mistake. */
function withoutPath({ message }: Error): string {
  if (/^Cannot [A-Z]+ /.test(message)) return 'Nothing is at this path';
  return / is not a valid url component$/.test(message) ? 'The path cannot be read' : message;
}

function ofStatus(status: number, message: string): { code: FailureCode; message: string } {
  const code = CODE_BY_STATUS[status];
  if (code) return { code, message };
  return { code: status >= 400 && status < 500 ? 'INVALID_REQUEST' : 'INTERNAL', message };
}

/** Whether Fastify refused the request: its body is too large, of the wrong type, or not JSON. */
function isClientFault(error: unknown): error is Error & { statusCode: number } {
  return (
    error instanceof Error &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode >= 400 &&
    error.statusCode < 500
  );
}
