import { describe, expect, it } from 'vitest';
import { headAt } from '../session/session.fixture.ts';
import { LEASE_SECONDS, pass, start, useWorld, wallets, world } from './wallet-owner.fixture.ts';

useWorld();

const FIRST = 'wallet/0x01';

describe('WalletOwner (design § 10)', () => {
  const claimed = () => [...world.tokens.keys()].filter((name) => name.startsWith('wallet/'));

  it('claims four at a time, and more on new work', async () => {
    start(wallets(6));
    await pass(0);
    expect(claimed()).toHaveLength(4);
    world.work();
    await pass(0);
    expect(claimed()).toHaveLength(6);
  });

  it('logs a list that cannot be read, and retries', async () => {
    world.refuseList = new Error('the database does not answer');
    start(wallets(1));
    await pass(0);
    expect(world.lines).toMatchObject([{ msg: 'claim wallets failed, retrying in 500 ms', err: expect.anything() }]);
    world.refuseList = undefined;
    await pass(500);
    expect(claimed()).toEqual([FIRST]);
  });

  it('reads held leases only with wallets to claim', async () => {
    start(wallets(2));
    await pass(LEASE_SECONDS * 1000);
    expect(world.leaseReads).toBe(1);
  });

  it('lists work every 15 s while it owns all', async () => {
    start(wallets(2));
    await pass(500);
    const { lists } = world;
    await pass(60_000);
    expect(world.lists - lists).toBe(4);
    world.work();
    await pass(0);
    expect(world.lists - lists).toBe(5);
  });

  it('lists work every 500 ms while others have some', async () => {
    start(wallets(2));
    world.elsewhere.add(FIRST);
    await pass(0);
    const { lists } = world;
    await pass(5000);
    expect(world.lists - lists).toBe(10);
  });

  it('logs a takeover and ticks immediately', async () => {
    world.headBefore = headAt(5);
    start(wallets(1));
    await pass(0);
    expect(world.ticks).toEqual([`${FIRST}#1`]);
    expect(world.lines).toMatchObject([{ msg: 'execution claimed', jobId: 'job 1', phase: 'trading', token: 1 }]);
  });

  it('skips wallets of other replicas and of ended jobs', async () => {
    world.taken.add(FIRST);
    world.gone.add('job 2');
    start(wallets(3));
    await pass(0);
    world.newBlock(headAt(1));
    await pass(0);
    expect(world.ticks).toEqual(['wallet/0x03#1']);
  });

  it('counts only its own wallets', async () => {
    world.taken.add(FIRST);
    start(wallets(5));
    await pass(0);
    expect(claimed()).toHaveLength(4);
  });

  it('measures each block and its number of wallets', async () => {
    start(wallets(2));
    await pass(0);
    world.newBlock(headAt(7));
    expect(world.measured).toEqual([
      ['head', 7],
      ['wallets', 2],
    ]);
  });

  it('reads the facts of all its wallets in one request', async () => {
    start(wallets(3));
    await pass(0);
    world.newBlock(headAt(1));
    await pass(0);
    expect(world.factsRead).toEqual([['job 1', 'job 2', 'job 3']]);
    expect(world.ticks).toHaveLength(3);
  });

  it('counts wallets without room in the last ten seconds', async () => {
    start(wallets(2));
    await pass(0);
    expect(world.metrics.room.count()).toBe(0);
    world.noRoomAtMs = headAt(100).timestampMs - 10_000;
    world.newBlock(headAt(100));
    await pass(0);
    expect(world.metrics.room.count()).toBe(2);
    world.noRoomAtMs -= 1;
    world.newBlock(headAt(101));
    await pass(0);
    expect(world.metrics.room.count()).toBe(0);
  });
});
