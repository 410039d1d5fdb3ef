import 'reflect-metadata';
import { getReceipt } from '@maker/contracts';
import { Logger } from '@nestjs/common';
import type { RpcException } from '@nestjs/microservices';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HandleRequest } from './handle-request.ts';
import { RequestFailure } from './request-failure.ts';

let thrown: unknown;

beforeAll(() => Logger.overrideLogger(false));

afterAll(() => Logger.overrideLogger(['log']));

class ReceiptController {
  @HandleRequest(getReceipt)
  async receipt(_request: { jobId: string }): Promise<never> {
    throw thrown;
  }
}

async function codeOf(error: unknown): Promise<unknown> {
  thrown = error;
  const refusal = await new ReceiptController()
    .receipt({ jobId: 'job_0123456789abcdef0123456789abcdef' })
    .catch((failure: unknown) => failure);
  return (refusal as RpcException).getError();
}

describe('HandleRequest', () => {
  it('reports unavailability while the database is down', async () => {
    const outage = new mongoose.mongo.MongoNetworkError('connection 7 to 10.0.0.7:27017 timed out');
    expect(await codeOf(outage)).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service cannot answer at the moment',
    });
  });

  it('passes a refusal on and hides other errors', async () => {
    expect(await codeOf(new RequestFailure('JOB_NOT_FOUND', 'No such job'))).toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect(await codeOf(new Error('10.0.0.7'))).toEqual({
      code: 'INTERNAL',
      message: 'The service failed to answer',
    });
  });
});
