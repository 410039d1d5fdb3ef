import { parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LyingEndpoint } from '../../../libs/chain/src/endpoints/lying-endpoint.fixture.ts';
import { HostileBlocks, type WatchedJob } from './hostile-blocks.fixture.ts';

const AMOUNT = parseEther('0.5');
const FALSE = parseEther('0.9');

let blocks: HostileBlocks;
let liar: LyingEndpoint;

beforeAll(async () => {
  blocks = await HostileBlocks.start();
});
afterAll(() => blocks?.stop());
beforeEach(async () => {
  liar = await LyingEndpoint.start(blocks.rpcUrl);
  await blocks.watch(liar.url, { CHAIN_TRUST_SINGLE_ENDPOINT: false, CHAIN_RPC_URLS: [liar.url, blocks.rpcUrl] });
});
afterEach(async () => {
  await blocks.stopWatchers();
  await liar.stop();
});

describe('a balance that the first of two hosts shows (docs/adr/0121)', () => {
  it('is not credited without the second host', async () => {
    const [job] = (await blocks.watchedJobs(1)) as unknown as readonly [WatchedJob];
    liar.lieAbout(job.address, { balanceWei: FALSE });
    await blocks.name([job.address]);
    await blocks.minedUntil(() => expect(blocks.job.seen(job.jobId)).not.toEqual([]));
    await blocks.mineScanned(10);
    expect(blocks.job.received(job.jobId)).toEqual([]);
    await blocks.send(job.address, AMOUNT);
    await blocks.minedUntil(() => expect(blocks.job.received(job.jobId)).toHaveLength(1));
    expect(blocks.job.received(job.jobId)[0]).toMatchObject({ kind: 'transfer', from: blocks.payer });
    liar.lieAbout(job.address);
    await blocks.name([job.address]);
    await blocks.minedUntil(() => expect(blocks.job.seen(job.jobId).at(-1)).toMatchObject({ seenWei: `${AMOUNT}` }));
    expect(blocks.job.received(job.jobId)).toHaveLength(1);
  });

  it('is credited once both hosts show it', async () => {
    const [job] = (await blocks.watchedJobs(1)) as unknown as readonly [WatchedJob];
    await blocks.setBalance(job.address, AMOUNT);
    await blocks.name([job.address]);
    await blocks.minedUntil(() => expect(blocks.job.received(job.jobId)).toHaveLength(1));
    expect(blocks.job.received(job.jobId)[0]).toMatchObject({ amountWei: `${AMOUNT}` });
  });
});
