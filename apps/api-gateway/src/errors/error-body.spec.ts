import { errorBodySchema, FAILURE_STATUS, type FailureCode } from '@maker/contracts';
import { RequestFailedError } from '@maker/messaging';
import { NotFoundException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { errorBody } from './error-body.ts';

describe('errorBody', () => {
  it('has the specified shape for every shared code', () => {
    for (const [code, status] of Object.entries(FAILURE_STATUS)) {
      const body = errorBodySchema.parse(errorBody(new RequestFailedError(code, 'why'), 'request-1'));
      expect(body).toMatchObject({ statusCode: status, code, requestId: 'request-1' });
      expect(body.message).not.toBe('');
    }
  });

  it('keeps the message of the refusing service', () => {
    const body = errorBody(new RequestFailedError('TOKEN_NOT_TRADABLE', 'Selling this token fails'), undefined);
    expect(body).toEqual({
      message: 'Selling this token fails',
      error: 'Unprocessable Entity',
      statusCode: 422,
      code: 'TOKEN_NOT_TRADABLE',
    });
  });

  it('reveals no internal cause', () => {
    for (const error of [
      new Error('connect ECONNREFUSED 10.0.0.7'),
      new RequestFailedError('SOMETHING_NEW', '10.0.0.7'),
      new RequestFailedError('SERVICE_TIMEOUT', 'No answer to job.create within 5000 ms from 10.0.0.7'),
      'a thrown string of 10.0.0.7',
      undefined,
    ]) {
      expect(JSON.stringify(errorBody(error, 'id'))).not.toContain('10.0.0.7');
    }
    expect(errorBody(new Error('boom'), 'id')).toMatchObject({ statusCode: 500, code: 'INTERNAL' });
  });

  it('maps a timeout to 504, a missing service to 503', () => {
    expect(errorBody(new RequestFailedError('SERVICE_TIMEOUT', ''), 'id').statusCode).toBe(504);
    expect(errorBody(new RequestFailedError('SERVICE_UNAVAILABLE', ''), 'id').statusCode).toBe(503);
  });

  it('uses the status of framework errors', () => {
    const tooLarge = Object.assign(new Error('Request body is too large'), { statusCode: 413 });
    expect(errorBody(tooLarge, 'id')).toMatchObject({ statusCode: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(errorBody(new NotFoundException('Cannot GET /nothing'), 'id')).toMatchObject({
      statusCode: 404,
      code: 'NOT_FOUND' satisfies FailureCode,
      message: 'Nothing is at this path',
    });
    expect(errorBody(new ApiError('UNAUTHORIZED', 'key'), 'id').statusCode).toBe(401);
    const unreadable = Object.assign(new Error("'/jobs/%a-key' is not a valid url component"), { statusCode: 400 });
    expect(errorBody(unreadable, 'id')).toMatchObject({ statusCode: 400, message: 'The path cannot be read' });
  });
});
