import { LeaseLostError } from '@maker/persistence';
import { describe, expect, it } from 'vitest';
import { headAt } from '../session/session.fixture.ts';
import { executionOf, LEASE_SECONDS, pass, start, useWorld, wallets, world } from './wallet-owner.fixture.ts';

useWorld();

const FIRST = 'wallet/0x01';
const SECOND = 'wallet/0x02';

describe('leases of wallets (design § 10)', () => {
  it('keeps a wallet that it lost and acquired again', async () => {
    start([executionOf('job_1', '0x01')]);
    let refuseRenewal: (error: Error) => void = () => undefined;
    world.renew = ({ token }) => (token > 1 ? Promise.resolve() : new Promise((_, reject) => (refuseRenewal = reject)));
    world.tick = async ({ name, token }) => {
      if (token === 1) throw new LeaseLostError(name);
    };
    await pass(LEASE_SECONDS * 1000);
    world.newBlock(headAt(1));
    await pass(1000);
    expect(world.tokens.get(FIRST)).toBe(2);
    refuseRenewal(new LeaseLostError(FIRST));
    await pass(0);
    world.newBlock(headAt(2));
    await pass(0);
    expect(world.ticks).toEqual([`${FIRST}#1`, `${FIRST}#2`]);
  });

  it('keeps other wallets during a long tick of one', async () => {
    start([executionOf('job_1', '0x01'), executionOf('job_2', '0x02')]);
    let finish: () => void = () => undefined;
    world.tick = ({ name }) => (name === FIRST ? new Promise((resolve) => (finish = resolve)) : Promise.resolve());
    await pass(0);
    world.newBlock(headAt(1));
    world.renew = async ({ name, token }) => {
      if (name === FIRST && token === 1) throw new LeaseLostError(name);
    };
    await pass(LEASE_SECONDS * 1000);
    world.renewals = [];
    await pass(LEASE_SECONDS * 1000);
    expect(world.renewals).toContain(`${SECOND}#1`);
    finish();
  });

  it('hands a joining replica its share, and keeps the rest', async () => {
    const wallets = ['0x01', '0x02', '0x03', '0x04', '0x05', '0x06'];
    start(wallets.map((wallet) => executionOf(`job ${wallet}`, wallet)));
    await pass(1000);
    expect([...world.tokens.keys()].filter((name) => name.startsWith('wallet/'))).toHaveLength(6);
    world.replicas = 2;
    world.othersClaim = true;
    await pass(LEASE_SECONDS * 1000);
    expect(world.released.sort()).toEqual(['wallet/0x04', 'wallet/0x05', 'wallet/0x06']);
    world.newBlock(headAt(1));
    await pass(0);
    expect(world.ticks).toEqual(['wallet/0x01#1', 'wallet/0x02#1', 'wallet/0x03#1']);
  });

  it('claims again wallets that no replica claimed', async () => {
    const wallets = ['0x01', '0x02', '0x03', '0x04'];
    start(wallets.map((wallet) => executionOf(`job ${wallet}`, wallet)));
    await pass(LEASE_SECONDS * 1000 - 1);
    world.replicas = 2;
    // The next comparison of shares, and the claims until the one after it.
    await pass(999);
    expect(world.released.sort()).toEqual(['wallet/0x03', 'wallet/0x04']);
    expect(world.tokens.get('wallet/0x04')).toBe(1);
    world.elsewhere.add('wallet/0x04');
    world.replicas = 1;
    await pass(LEASE_SECONDS * 1000);
    expect(world.tokens.get('wallet/0x03')).toBe(2);
    expect(world.tokens.get('wallet/0x04')).toBe(1);
  });

  it('holds its replica lease while it reads blocks', async () => {
    start([]);
    const shown = () => [...world.tokens.keys()].filter((name) => name.startsWith('replica/'));
    await pass(LEASE_SECONDS * 1000);
    expect(shown()).toEqual([]);
    world.newBlock(headAt(1));
    await pass(LEASE_SECONDS * 334);
    expect(shown()).toHaveLength(1);
    // A new replica removes the rows of replicas that are gone.
    expect(world.removed).toEqual(['replica/']);
    expect(world.released).toEqual([]);
    await pass(LEASE_SECONDS * 334);
    expect(world.released).toEqual(shown());
  });

  const warning = { msg: 'wallet lost to another process', jobId: 'job 1' };

  it('logs a wallet taken by another, and releases nothing', async () => {
    start(wallets(1));
    await pass(0);
    world.tick = async ({ name }) => {
      throw new LeaseLostError(name);
    };
    world.newBlock(headAt(1));
    await pass(0);
    expect(world.measured).toContain('lease lost');
    expect(world.lines).toContainEqual(expect.objectContaining(warning));
    expect(world.released).toEqual([]);
  });

  it('drops a wallet lost at renewal, and claims it again', async () => {
    start(wallets(1));
    await pass(0);
    world.renew = async ({ name, token }) => {
      if (token === 1) throw new LeaseLostError(name);
    };
    await pass(LEASE_SECONDS * 1000);
    expect(world.measured.filter((one) => one === 'lease lost')).toHaveLength(1);
    expect(world.lines).toContainEqual(expect.objectContaining(warning));
    world.newBlock(headAt(1));
    await pass(0);
    expect(world.ticks).toEqual([`${FIRST}#2`]);
  });

  it('keeps a wallet after an unrelated renewal failure', async () => {
    start(wallets(1));
    await pass(0);
    world.renew = async () => {
      throw new Error('the database does not answer');
    };
    await pass(LEASE_SECONDS * 334);
    world.newBlock(headAt(1));
    await pass(0);
    expect(world.ticks).toEqual([`${FIRST}#1`]);
    expect(world.measured).not.toContain('lease lost');
    const failed = 'renew wallet leases failed, retrying in 1000 ms';
    expect(world.lines).toContainEqual(expect.objectContaining({ msg: failed }));
  });

  it('releases an ended job’s wallet, and logs a failure', async () => {
    start(wallets(1));
    await pass(0);
    world.gone.add('job 1');
    world.refuseRelease = new Error('the database does not answer');
    world.newBlock(headAt(1));
    await pass(0);
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        msg: 'lease not released',
        jobId: 'job 1',
        err: expect.objectContaining({ message: 'the database does not answer' }),
      }),
    );
    world.refuseRelease = undefined;
    await pass(500);
    world.newBlock(headAt(2));
    await pass(0);
    expect(world.measured).not.toContain('lease lost');
  });

  it('logs wallets handed over, and leases that were not released', async () => {
    start(wallets(4));
    await pass(0);
    world.replicas = 2;
    world.refuseRelease = new Error('the database does not answer');
    await pass(LEASE_SECONDS * 334);
    expect(world.lines).toContainEqual(
      expect.objectContaining({ msg: 'wallets beyond this replica’s share handed over', wallets: 2 }),
    );
    expect(world.lines).toContainEqual(
      expect.objectContaining({ msg: 'leases not released; they expire', wallets: 2, err: expect.anything() }),
    );
    world.refuseRelease = undefined;
  });

  it('waits for all hand-overs at shutdown', async () => {
    start(wallets(8));
    const last = 'wallet/0x08';
    let finish: () => void = () => undefined;
    world.tick = ({ name }) => (name === last ? new Promise((resolve) => (finish = resolve)) : Promise.resolve());
    await pass(500);
    world.newBlock(headAt(1));
    world.othersClaim = true;
    // The lease stays with this replica until the tick is over.
    world.elsewhere.add(last);
    const givenBack = () => world.released.filter((name) => name.startsWith('wallet/'));
    world.replicas = 2;
    await pass(500);
    expect(givenBack()).toEqual(['wallet/0x07', 'wallet/0x06', 'wallet/0x05']);
    world.replicas = 8;
    await pass(1000);
    expect(givenBack()).toHaveLength(6);
    const end = world.owner.beforeApplicationShutdown();
    await pass(0);
    expect(givenBack()).toHaveLength(7);
    let isOver = false;
    const over = end.then(() => (isOver = true));
    await pass(0);
    expect(isOver).toBe(false);
    finish();
    await over;
    expect(world.released).toContain(last);
  });

  it('logs no hand-over when it has its share', async () => {
    start(wallets(2));
    await pass(LEASE_SECONDS * 1000);
    expect(world.lines.map(({ msg }) => msg)).toEqual(['execution claimed', 'execution claimed']);
  });

  it('renews its replica lease, or acquires a new one', async () => {
    start([]);
    // Half way between two comparisons of shares.
    await pass(500);
    const shown = () => [...world.tokens.keys()].filter((name) => name.startsWith('replica/'));
    const blocks = async (count: number) => {
      for (let number = 0; number < count; number += 1) {
        world.newBlock(headAt(number));
        await pass(1000);
      }
    };
    await blocks(3);
    expect(shown()).toHaveLength(1);
    expect(world.renewals.filter((name) => name.startsWith('replica/'))).toHaveLength(2);
    world.renew = async ({ name }) => {
      if (name === shown()[0]) throw new LeaseLostError(name);
    };
    await blocks(1);
    expect(shown()).toHaveLength(2);
    world.renew = async () => {
      throw new Error('the database does not answer');
    };
    await blocks(1);
    expect(shown()).toHaveLength(2);
  });

  it('releases all leases at shutdown and claims none', async () => {
    start(wallets(2));
    world.newBlock(headAt(1));
    await pass(LEASE_SECONDS * 334);
    expect(world.feedState).toBe('started');
    await world.owner.beforeApplicationShutdown();
    expect(world.feedState).toBe('stopped');
    expect(world.released.filter((name) => !name.startsWith('replica/')).sort()).toEqual([FIRST, SECOND]);
    expect(world.released.filter((name) => name.startsWith('replica/'))).toHaveLength(1);
    world.renewals = [];
    await pass(LEASE_SECONDS * 2000);
    expect([...world.tokens.values()]).toEqual([1, 1, 1]);
    expect(world.renewals).toEqual([]);
  });
});
