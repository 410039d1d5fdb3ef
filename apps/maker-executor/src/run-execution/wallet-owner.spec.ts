import { type Lease, LeaseLostError, type Leases } from '@maker/persistence';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BlockHead, HeadFeed, HeadListener } from '../chain/head-feed.ts';
import type { MakerConfiguration } from '../configuration.ts';
import type { Execution } from '../execution/execution.ts';
import type { ExecutionsRepository } from '../execution/executions.repository.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import type { TransactionsRepository } from '../transaction/transactions.repository.ts';
import type { ExecutionTick } from './execution-tick.ts';
import { WalletOwner } from './wallet-owner.ts';

const LEASE_SECONDS = 3;
const FIRST = 'wallet/0x01';
const SECOND = 'wallet/0x02';

let owner: WalletOwner;
let newBlock: HeadListener;
/** Owners that each lease has had. */
let tokens: Map<string, number>;
let renew: (lease: Lease) => Promise<void>;
let tick: (lease: Lease) => Promise<void>;
let renewals: string[];
let ticks: string[];
/** Leases that others hold, and those that were given back. */
let elsewhere: Set<string>;
let released: string[];
/** Beginnings of names whose rows were removed. */
let removed: string[];
let replicas: number;
let othersClaim: boolean;
/** Leases that somebody else is quicker to take, and executions that have ended since the list was read. */
let taken: Set<string>;
let gone: Set<string>;
let refuseRelease: Error | undefined;
let refuseList: Error | undefined;
/** How often it was asked who holds what. */
let looks: number;
/** The newest block before anything was claimed. */
let headBefore: BlockHead | undefined;
let feedState: string;
/** What the metrics were told, and the log. */
let measured: unknown[];
let lines: { msg: string; [field: string]: unknown }[];

const nameOf = ({ name, token }: Lease) => `${name}#${token}`;
const executionOf = (id: string, walletAddress: string) => ({ id, walletAddress, phase: 'trading' }) as Execution;

beforeEach(() => {
  vi.useFakeTimers();
  tokens = new Map();
  renew = async () => undefined;
  tick = async () => undefined;
  renewals = [];
  ticks = [];
  elsewhere = new Set();
  released = [];
  removed = [];
  replicas = 1;
  othersClaim = false;
  taken = new Set();
  gone = new Set();
  refuseRelease = undefined;
  refuseList = undefined;
  looks = 0;
  headBefore = undefined;
  feedState = 'new';
  measured = [];
  lines = [];
});

afterEach(async () => {
  await owner.beforeApplicationShutdown();
  vi.useRealTimers();
});

function start(executions: readonly Execution[]): void {
  const leases = {
    async acquire(name: string): Promise<Lease | undefined> {
      if (taken.has(name)) return undefined;
      tokens.set(name, (tokens.get(name) ?? 0) + 1);
      return { name, owner: 'we', token: tokens.get(name) ?? 0 };
    },
    renew(lease: Lease) {
      renewals.push(nameOf(lease));
      return renew(lease);
    },
    async release({ name }: Lease) {
      if (refuseRelease) throw refuseRelease;
      released.push(name);
      if (othersClaim) elsewhere.add(name);
    },
    async held() {
      looks += 1;
      return elsewhere;
    },
    countHeld: async () => replicas,
    async removeExpired(prefix: string) {
      removed.push(prefix);
    },
  };
  const fakeTick = {
    async run({ lease, execution }: LeasedExecution) {
      ticks.push(nameOf(lease));
      await tick(lease);
      return execution;
    },
  };
  const feed = {
    head: headBefore,
    listen(listener: HeadListener) {
      newBlock = listener;
    },
    start() {
      feedState = 'started';
    },
    async stop() {
      feedState = 'stopped';
    },
  };
  const atWork = async () => {
    if (refuseList) throw refuseList;
    return executions;
  };
  const find = async (id: string) => executions.find((execution) => execution.id === id && !gone.has(id));
  owner = new WalletOwner(
    { MAKER_LEASE_SECONDS: LEASE_SECONDS } as MakerConfiguration,
    leases as unknown as Leases,
    feed as unknown as HeadFeed,
    { atWork, find } as unknown as ExecutionsRepository,
    { open: async () => [] } as unknown as TransactionsRepository,
    fakeTick as unknown as ExecutionTick,
    {
      head: ({ number }: BlockHead) => measured.push(['head', number]),
      wallets: (count: number) => measured.push(['wallets', count]),
      leaseLost: () => measured.push('lease lost'),
      fault: () => undefined,
    } as unknown as MakerMetrics,
    pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
  );
  owner.onApplicationBootstrap();
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('WalletOwner (design § 10)', () => {
  it('goes on with a wallet that it lost and got again, though the loss is heard of late', async () => {
    start([executionOf('job_1', '0x01')]);
    let refuseRenewal: (error: Error) => void = () => undefined;
    renew = ({ token }) => (token > 1 ? Promise.resolve() : new Promise((_, reject) => (refuseRenewal = reject)));
    tick = async ({ name, token }) => {
      if (token === 1) throw new LeaseLostError(name);
    };
    await pass(LEASE_SECONDS * 1000);
    newBlock({ number: 1 } as BlockHead);
    await pass(1000);
    expect(tokens.get(FIRST)).toBe(2);
    refuseRenewal(new LeaseLostError(FIRST));
    await pass(0);
    newBlock({ number: 2 } as BlockHead);
    await pass(0);
    expect(ticks).toEqual([`${FIRST}#1`, `${FIRST}#2`]);
  });

  it('keeps its other wallets while a tick at a lost one takes long', async () => {
    start([executionOf('job_1', '0x01'), executionOf('job_2', '0x02')]);
    let finish: () => void = () => undefined;
    tick = ({ name }) => (name === FIRST ? new Promise((resolve) => (finish = resolve)) : Promise.resolve());
    await pass(0);
    newBlock({ number: 1 } as BlockHead);
    renew = async ({ name, token }) => {
      if (name === FIRST && token === 1) throw new LeaseLostError(name);
    };
    await pass(LEASE_SECONDS * 1000);
    renewals = [];
    await pass(LEASE_SECONDS * 1000);
    expect(renewals).toContain(`${SECOND}#1`);
    finish();
  });

  it('hands a replica that joins its share, and goes on with the others', async () => {
    const wallets = ['0x01', '0x02', '0x03', '0x04', '0x05', '0x06'];
    start(wallets.map((wallet) => executionOf(`job ${wallet}`, wallet)));
    await pass(1000);
    expect([...tokens.keys()].filter((name) => name.startsWith('wallet/'))).toHaveLength(6);
    replicas = 2;
    othersClaim = true;
    await pass(LEASE_SECONDS * 1000);
    expect(released.sort()).toEqual(['wallet/0x04', 'wallet/0x05', 'wallet/0x06']);
    newBlock({ number: 1 } as BlockHead);
    await pass(0);
    expect(ticks).toEqual(['wallet/0x01#1', 'wallet/0x02#1', 'wallet/0x03#1']);
  });

  it('does not claim at once what it handed over, and does where nobody else has taken it', async () => {
    const wallets = ['0x01', '0x02', '0x03', '0x04'];
    start(wallets.map((wallet) => executionOf(`job ${wallet}`, wallet)));
    await pass(LEASE_SECONDS * 1000 - 1);
    replicas = 2;
    // The next look at shares, and the claims until the one after it.
    await pass(999);
    expect(released.sort()).toEqual(['wallet/0x03', 'wallet/0x04']);
    expect(tokens.get('wallet/0x04')).toBe(1);
    elsewhere.add('wallet/0x04');
    replicas = 1;
    await pass(LEASE_SECONDS * 1000);
    expect(tokens.get('wallet/0x03')).toBe(2);
    expect(tokens.get('wallet/0x04')).toBe(1);
  });

  it('is there for the others while it sees blocks: it is handed nothing that it could not work on', async () => {
    start([]);
    const shown = () => [...tokens.keys()].filter((name) => name.startsWith('replica/'));
    await pass(LEASE_SECONDS * 1000);
    expect(shown()).toEqual([]);
    newBlock({ number: 1 } as BlockHead);
    await pass(LEASE_SECONDS * 334);
    expect(shown()).toHaveLength(1);
    // Each that comes leaves no more rows than there were: those of replicas that are gone go.
    expect(removed).toEqual(['replica/']);
    expect(released).toEqual([]);
    await pass(LEASE_SECONDS * 334);
    expect(released).toEqual(shown());
  });

  const wallets = (count: number) =>
    Array.from({ length: count }, (_, index) => executionOf(`job ${index + 1}`, `0x0${index + 1}`));
  const claimed = () => [...tokens.keys()].filter((name) => name.startsWith('wallet/'));

  it('claims four at one go, so that replicas that start together share them, and the next at once when it is woken', async () => {
    start(wallets(6));
    await pass(0);
    expect(claimed()).toHaveLength(4);
    owner.wake();
    await pass(0);
    expect(claimed()).toHaveLength(6);
  });

  it('claims at the next round where the list could not be read, and says so', async () => {
    refuseList = new Error('the database does not answer');
    start(wallets(1));
    await pass(0);
    expect(lines).toMatchObject([{ msg: 'claim wallets failed; it is tried again in 500 ms', err: expect.anything() }]);
    refuseList = undefined;
    await pass(500);
    expect(claimed()).toEqual([FIRST]);
  });

  it('asks who holds what only where there is something to claim', async () => {
    start(wallets(2));
    await pass(LEASE_SECONDS * 1000);
    expect(looks).toBe(1);
  });

  it('says what it took on, and works at the newest block without waiting for one', async () => {
    headBefore = { number: 5 } as BlockHead;
    start(wallets(1));
    await pass(0);
    expect(ticks).toEqual([`${FIRST}#1`]);
    expect(lines).toMatchObject([{ msg: 'execution taken on', jobId: 'job 1', phase: 'trading', token: 1 }]);
  });

  it('leaves a wallet to who was quicker, and one whose job has ended meanwhile', async () => {
    taken.add(FIRST);
    gone.add('job 2');
    start(wallets(3));
    await pass(0);
    newBlock({ number: 1 } as BlockHead);
    await pass(0);
    expect(ticks).toEqual(['wallet/0x03#1']);
  });

  it('counts five wallets of which one is another’s as four', async () => {
    taken.add(FIRST);
    start(wallets(5));
    await pass(0);
    expect(claimed()).toHaveLength(4);
  });

  it('tells its metrics of each block, and of the wallets that it has', async () => {
    start(wallets(2));
    await pass(0);
    newBlock({ number: 7 } as BlockHead);
    expect(measured).toEqual([
      ['head', 7],
      ['wallets', 2],
    ]);
  });

  const warning = { msg: 'the wallet was taken by another process; this one writes nothing more', jobId: 'job 1' };

  it('tells an operator of a wallet that was taken from it, and gives back nothing that is another’s', async () => {
    start(wallets(1));
    await pass(0);
    tick = async ({ name }) => {
      throw new LeaseLostError(name);
    };
    newBlock({ number: 1 } as BlockHead);
    await pass(0);
    expect(measured).toContain('lease lost');
    expect(lines).toContainEqual(expect.objectContaining(warning));
    expect(released).toEqual([]);
  });

  it('tells of one whose lease was lost while it was renewed, works no more on it, and claims it again', async () => {
    start(wallets(1));
    await pass(0);
    renew = async ({ name, token }) => {
      if (token === 1) throw new LeaseLostError(name);
    };
    await pass(LEASE_SECONDS * 1000);
    expect(measured.filter((one) => one === 'lease lost')).toHaveLength(1);
    expect(lines).toContainEqual(expect.objectContaining(warning));
    newBlock({ number: 1 } as BlockHead);
    await pass(0);
    expect(ticks).toEqual([`${FIRST}#2`]);
  });

  it('keeps a wallet whose lease could not be renewed for another reason', async () => {
    start(wallets(1));
    await pass(0);
    renew = async () => {
      throw new Error('the database does not answer');
    };
    await pass(LEASE_SECONDS * 334);
    newBlock({ number: 1 } as BlockHead);
    await pass(0);
    expect(ticks).toEqual([`${FIRST}#1`]);
    expect(measured).not.toContain('lease lost');
    const failed = 'renew wallet leases failed; it is tried again in 1000 ms';
    expect(lines).toContainEqual(expect.objectContaining({ msg: failed }));
  });

  it('gives back the wallet of a job that has ended, and says so where that fails', async () => {
    start(wallets(1));
    await pass(0);
    gone.add('job 1');
    refuseRelease = new Error('the database does not answer');
    newBlock({ number: 1 } as BlockHead);
    await pass(0);
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'lease not released',
        jobId: 'job 1',
        err: expect.objectContaining({ message: 'the database does not answer' }),
      }),
    );
    refuseRelease = undefined;
    await pass(500);
    newBlock({ number: 2 } as BlockHead);
    await pass(0);
    expect(measured).not.toContain('lease lost');
  });

  it('says how many wallets it hands over, and that leases expire where they could not be released', async () => {
    start(wallets(4));
    await pass(0);
    replicas = 2;
    refuseRelease = new Error('the database does not answer');
    await pass(LEASE_SECONDS * 334);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'wallets beyond the share of this replica are handed over', wallets: 2 }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'leases not released; they expire', wallets: 2, err: expect.anything() }),
    );
    refuseRelease = undefined;
  });

  it('at its end waits for all that it hands over, also for what it began to before', async () => {
    start(wallets(8));
    const last = 'wallet/0x08';
    let finish: () => void = () => undefined;
    tick = ({ name }) => (name === last ? new Promise((resolve) => (finish = resolve)) : Promise.resolve());
    await pass(500);
    newBlock({ number: 1 } as BlockHead);
    othersClaim = true;
    // Its own until its tick is over.
    elsewhere.add(last);
    const givenBack = () => released.filter((name) => name.startsWith('wallet/'));
    replicas = 2;
    await pass(500);
    expect(givenBack()).toEqual(['wallet/0x07', 'wallet/0x06', 'wallet/0x05']);
    replicas = 8;
    await pass(1000);
    expect(givenBack()).toHaveLength(6);
    const end = owner.beforeApplicationShutdown();
    await pass(0);
    expect(givenBack()).toHaveLength(7);
    let isOver = false;
    const over = end.then(() => (isOver = true));
    await pass(0);
    expect(isOver).toBe(false);
    finish();
    await over;
    expect(released).toContain(last);
  });

  it('says nothing of handing over where it has its share', async () => {
    start(wallets(2));
    await pass(LEASE_SECONDS * 1000);
    expect(lines.map(({ msg }) => msg)).toEqual(['execution taken on', 'execution taken on']);
  });

  it('shows itself once and renews that, and anew where it was lost', async () => {
    start([]);
    // In the middle between two looks at shares.
    await pass(500);
    const shown = () => [...tokens.keys()].filter((name) => name.startsWith('replica/'));
    const blocks = async (count: number) => {
      for (let number = 0; number < count; number += 1) {
        newBlock({ number } as BlockHead);
        await pass(1000);
      }
    };
    await blocks(3);
    expect(shown()).toHaveLength(1);
    expect(renewals.filter((name) => name.startsWith('replica/'))).toHaveLength(2);
    renew = async ({ name }) => {
      if (name === shown()[0]) throw new LeaseLostError(name);
    };
    await blocks(1);
    expect(shown()).toHaveLength(2);
    renew = async () => {
      throw new Error('the database does not answer');
    };
    await blocks(1);
    expect(shown()).toHaveLength(2);
  });

  it('at its end gives back all that it has, and claims and reads nothing more', async () => {
    start(wallets(2));
    newBlock({ number: 1 } as BlockHead);
    await pass(LEASE_SECONDS * 334);
    expect(feedState).toBe('started');
    await owner.beforeApplicationShutdown();
    expect(feedState).toBe('stopped');
    expect(released.filter((name) => !name.startsWith('replica/')).sort()).toEqual([FIRST, SECOND]);
    expect(released.filter((name) => name.startsWith('replica/'))).toHaveLength(1);
    renewals = [];
    await pass(LEASE_SECONDS * 2000);
    expect([...tokens.values()]).toEqual([1, 1, 1]);
    expect(renewals).toEqual([]);
  });
});
