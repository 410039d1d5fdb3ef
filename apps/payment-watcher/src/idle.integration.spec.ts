import { MetricsRegistry } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import { expect, it, vi } from 'vitest';
import { PATIENT, stageForFile } from './watcher-stage.fixture.ts';

const BLOCKS = 20;
/** Source: docs/measurements.md, commands to MongoDB a block without jobs. */
const COMMANDS_A_BLOCK = 1;

const stage = stageForFile();

/** Number of MongoDB commands so far, without those that wait for changes. */
async function commands(watcher: INestMicroservice): Promise<number> {
  const name = 'maker_mongo_command_duration_seconds';
  const { values = [] } = (await watcher.get(MetricsRegistry).getSingleMetric(name)?.get()) ?? {};
  return values
    .filter(
      (value) => 'metricName' in value && value.metricName === `${name}_count` && value.labels.command !== 'getMore',
    )
    .reduce((sum, { value }) => sum + value, 0);
}

async function mineOneByOne(blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block += 1) {
    await stage.mine();
    const head = Number(await stage.client.getBlockNumber());
    await vi.waitFor(async () => expect(await stage.metric('maker_watcher_cursor_block')).toBe(head), PATIENT);
  }
}

it('needs one database command for a block without payments', async () => {
  const watcher = await stage.watch(3600);
  const { jobId, address } = await stage.watchedJob();
  await stage.pay(address, '0.5');
  await stage.minedUntil(() => stage.job.received(jobId).length > 0);
  await mineOneByOne(3);
  const before = await commands(watcher);
  await mineOneByOne(BLOCKS);
  expect((await commands(watcher)) - before).toBeLessThanOrEqual(BLOCKS * COMMANDS_A_BLOCK);
});
