import { getReceipt, getSignedReceipt, listOrders, listSignedOrders } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import type { NatsConnection } from '@nats-io/transport-node';
import type { INestMicroservice } from '@nestjs/common';
import { expect, it } from 'vitest';
import { stageForFile } from '../maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS } from '../stage-times.fixture.ts';

const own = stageForFile(FAST_CLOCK);

/** Counts the requests to a maker, without those for its events, which other services send every few seconds. */
function countRequests(maker: INestMicroservice): () => number {
  let catchUps = 0;
  own.stage.jobs.app.unwrap<NatsConnection>().subscribe('maker-executor.>', {
    callback: () => {
      catchUps += 1;
    },
  });
  const received = () => maker.unwrap<NatsConnection>().stats().inMsgs;
  const before = received();
  return () => received() - before - catchUps;
}

it('answers 200 reads by one signature', { timeout: RUN_MS }, async () => {
  const maker = await own.stage.startMaker();
  const job = await own.stage.paidJob(own.stage.chain.tokens.both, { byTransfer: true });
  await own.stage.ended(job);
  const requests = own.stage.jobs.app.get(RequestClient);
  const requestsOfMaker = countRequests(maker);
  const { jobId } = job;
  const page = { jobId, after: 0, limit: 500 };
  for (let round = 0; round < 50; round++) {
    const { receipt } = await requests.request(getReceipt, { jobId });
    const { orders } = await requests.request(listOrders, page);
    const { receipt: signed } = await requests.request(getSignedReceipt, { jobId });
    const { orders: texts } = await requests.request(listSignedOrders, page);
    expect(orders).toHaveLength(receipt?.ordersPlaced ?? 0);
    expect(texts).toHaveLength(signed?.orderCount ?? 0);
  }
  expect(requestsOfMaker()).toBe(1);
});
