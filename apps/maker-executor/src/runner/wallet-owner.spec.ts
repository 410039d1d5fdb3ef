import type { BlockHead, HeadListener } from '@maker/chain';
import { ALL_JOBS, type Execution } from '@maker/execution-records';
import { type Lease, LeaseLostError, type Leases } from '@maker/persistence';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MakerConfiguration } from '../configuration.ts';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import { headAt, RULES, sessionOf } from '../session/session.fixture.ts';
import type { Session } from '../session/session.ts';
import type { Apply } from './apply.ts';
import type { TickSources } from './tick-sources.ts';
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
/** Called where work came for a wallet. */
let work: () => void;
/** Jobs of which facts were read, by request. */
let factsRead: (readonly string[])[];
/** Chain time at which each tick finds no room in the minute's gas, ms. */
let noRoomAtMs: number | null;
/** What the metrics were told, and the log. */
let metrics: { room: { count: () => number } };
let measured: unknown[];
let lines: { msg: string; [field: string]: unknown }[];

const nameOf = ({ name, token }: Lease) => `${name}#${token}`;
const executionOf = (id: string, walletAddress: string): Execution =>
  sessionOf({ id, walletAddress: walletAddress as Execution['walletAddress'], phase: 'trading' }).execution;
/** An operator paused all jobs: ticks do nothing but what a spec has them do. */
const PAUSE = { jobId: ALL_JOBS, kind: 'pause', version: '1' } as const;

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
  factsRead = [];
  noRoomAtMs = null;
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
  const apply = {
    async save(session: Session, decisions: unknown) {
      ticks.push(nameOf(session.lease));
      await tick(session.lease);
      const memory = { ...session.memory, noRoomAtMs };
      return { session: { ...session, memory }, decisions, outgoing: [] };
    },
    send: async (session: Session) => session,
  };
  const feed = {
    head: headBefore,
    now: () => Date.now(),
    chainNowMs: headAt(100).timestampMs,
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
  const facts = {
    jobsAtWork: async () => [],
    async of(jobIds: readonly string[]) {
      factsRead.push(jobIds);
      return new Map([[ALL_JOBS, [PAUSE]]]);
    },
  };
  const sources = {
    rules: RULES,
    feed,
    chain: { network: { chainId: 31337 }, reading: async () => undefined },
    database: {
      executions: { atWork, find },
      facts,
      transactions: { open: async () => [], highestNonce: async () => undefined },
      onWork(listener: () => void) {
        work = listener;
      },
    },
  };
  metrics = { room: { count: () => Number.NaN } };
  owner = new WalletOwner(
    { MAKER_LEASE_SECONDS: LEASE_SECONDS } as MakerConfiguration,
    leases as unknown as Leases,
    sources as unknown as TickSources,
    apply as unknown as Apply,
    {
      ...metrics,
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
  it('keeps a wallet that it lost and acquired again', async () => {
    start([executionOf('job_1', '0x01')]);
    let refuseRenewal: (error: Error) => void = () => undefined;
    renew = ({ token }) => (token > 1 ? Promise.resolve() : new Promise((_, reject) => (refuseRenewal = reject)));
    tick = async ({ name, token }) => {
      if (token === 1) throw new LeaseLostError(name);
    };
    await pass(LEASE_SECONDS * 1000);
    newBlock(headAt(1));
    await pass(1000);
    expect(tokens.get(FIRST)).toBe(2);
    refuseRenewal(new LeaseLostError(FIRST));
    await pass(0);
    newBlock(headAt(2));
    await pass(0);
    expect(ticks).toEqual([`${FIRST}#1`, `${FIRST}#2`]);
  });

  it('keeps other wallets during a long tick of one', async () => {
    start([executionOf('job_1', '0x01'), executionOf('job_2', '0x02')]);
    let finish: () => void = () => undefined;
    tick = ({ name }) => (name === FIRST ? new Promise((resolve) => (finish = resolve)) : Promise.resolve());
    await pass(0);
    newBlock(headAt(1));
    renew = async ({ name, token }) => {
      if (name === FIRST && token === 1) throw new LeaseLostError(name);
    };
    await pass(LEASE_SECONDS * 1000);
    renewals = [];
    await pass(LEASE_SECONDS * 1000);
    expect(renewals).toContain(`${SECOND}#1`);
    finish();
  });

  it('hands a joining replica its share, and keeps the rest', async () => {
    const wallets = ['0x01', '0x02', '0x03', '0x04', '0x05', '0x06'];
    start(wallets.map((wallet) => executionOf(`job ${wallet}`, wallet)));
    await pass(1000);
    expect([...tokens.keys()].filter((name) => name.startsWith('wallet/'))).toHaveLength(6);
    replicas = 2;
    othersClaim = true;
    await pass(LEASE_SECONDS * 1000);
    expect(released.sort()).toEqual(['wallet/0x04', 'wallet/0x05', 'wallet/0x06']);
    newBlock(headAt(1));
    await pass(0);
    expect(ticks).toEqual(['wallet/0x01#1', 'wallet/0x02#1', 'wallet/0x03#1']);
  });

  it('reclaims later what no replica took', async () => {
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

  it('shows itself to the others while it sees blocks', async () => {
    start([]);
    const shown = () => [...tokens.keys()].filter((name) => name.startsWith('replica/'));
    await pass(LEASE_SECONDS * 1000);
    expect(shown()).toEqual([]);
    newBlock(headAt(1));
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

  it('claims four at one go, and more when work comes', async () => {
    start(wallets(6));
    await pass(0);
    expect(claimed()).toHaveLength(4);
    work();
    await pass(0);
    expect(claimed()).toHaveLength(6);
  });

  it('logs a list that cannot be read, and retries', async () => {
    refuseList = new Error('the database does not answer');
    start(wallets(1));
    await pass(0);
    expect(lines).toMatchObject([{ msg: 'claim wallets failed, retrying in 500 ms', err: expect.anything() }]);
    refuseList = undefined;
    await pass(500);
    expect(claimed()).toEqual([FIRST]);
  });

  it('reads who holds leases only where something can be claimed', async () => {
    start(wallets(2));
    await pass(LEASE_SECONDS * 1000);
    expect(looks).toBe(1);
  });

  it('logs a takeover and ticks immediately', async () => {
    headBefore = headAt(5);
    start(wallets(1));
    await pass(0);
    expect(ticks).toEqual([`${FIRST}#1`]);
    expect(lines).toMatchObject([{ msg: 'execution taken on', jobId: 'job 1', phase: 'trading', token: 1 }]);
  });

  it('leaves wallets of quicker replicas, and of ended jobs', async () => {
    taken.add(FIRST);
    gone.add('job 2');
    start(wallets(3));
    await pass(0);
    newBlock(headAt(1));
    await pass(0);
    expect(ticks).toEqual(['wallet/0x03#1']);
  });

  it('counts five wallets of which one is another’s as four', async () => {
    taken.add(FIRST);
    start(wallets(5));
    await pass(0);
    expect(claimed()).toHaveLength(4);
  });

  it('measures each block and the wallets that it has', async () => {
    start(wallets(2));
    await pass(0);
    newBlock(headAt(7));
    expect(measured).toEqual([
      ['head', 7],
      ['wallets', 2],
    ]);
  });

  it('reads the facts of all its wallets in one request', async () => {
    start(wallets(3));
    await pass(0);
    newBlock(headAt(1));
    await pass(0);
    expect(factsRead).toEqual([['job 1', 'job 2', 'job 3']]);
    expect(ticks).toHaveLength(3);
  });

  it('counts wallets without room in the last ten seconds', async () => {
    start(wallets(2));
    await pass(0);
    expect(metrics.room.count()).toBe(0);
    noRoomAtMs = headAt(100).timestampMs - 10_000;
    newBlock(headAt(100));
    await pass(0);
    expect(metrics.room.count()).toBe(2);
    noRoomAtMs -= 1;
    newBlock(headAt(101));
    await pass(0);
    expect(metrics.room.count()).toBe(0);
  });

  const warning = { msg: 'wallet lost to another process', jobId: 'job 1' };

  it('logs a wallet taken by another, and releases nothing', async () => {
    start(wallets(1));
    await pass(0);
    tick = async ({ name }) => {
      throw new LeaseLostError(name);
    };
    newBlock(headAt(1));
    await pass(0);
    expect(measured).toContain('lease lost');
    expect(lines).toContainEqual(expect.objectContaining(warning));
    expect(released).toEqual([]);
  });

  it('drops a wallet lost at renewal, and claims it again', async () => {
    start(wallets(1));
    await pass(0);
    renew = async ({ name, token }) => {
      if (token === 1) throw new LeaseLostError(name);
    };
    await pass(LEASE_SECONDS * 1000);
    expect(measured.filter((one) => one === 'lease lost')).toHaveLength(1);
    expect(lines).toContainEqual(expect.objectContaining(warning));
    newBlock(headAt(1));
    await pass(0);
    expect(ticks).toEqual([`${FIRST}#2`]);
  });

  it('keeps a wallet after an unrelated renewal failure', async () => {
    start(wallets(1));
    await pass(0);
    renew = async () => {
      throw new Error('the database does not answer');
    };
    await pass(LEASE_SECONDS * 334);
    newBlock(headAt(1));
    await pass(0);
    expect(ticks).toEqual([`${FIRST}#1`]);
    expect(measured).not.toContain('lease lost');
    const failed = 'renew wallet leases failed, retrying in 1000 ms';
    expect(lines).toContainEqual(expect.objectContaining({ msg: failed }));
  });

  it('releases an ended job’s wallet, and logs a failure', async () => {
    start(wallets(1));
    await pass(0);
    gone.add('job 1');
    refuseRelease = new Error('the database does not answer');
    newBlock(headAt(1));
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
    newBlock(headAt(2));
    await pass(0);
    expect(measured).not.toContain('lease lost');
  });

  it('logs wallets handed over, and leases that were not released', async () => {
    start(wallets(4));
    await pass(0);
    replicas = 2;
    refuseRelease = new Error('the database does not answer');
    await pass(LEASE_SECONDS * 334);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'wallets beyond this replica’s share handed over', wallets: 2 }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'leases not released; they expire', wallets: 2, err: expect.anything() }),
    );
    refuseRelease = undefined;
  });

  it('at its end waits for every hand-over that began before', async () => {
    start(wallets(8));
    const last = 'wallet/0x08';
    let finish: () => void = () => undefined;
    tick = ({ name }) => (name === last ? new Promise((resolve) => (finish = resolve)) : Promise.resolve());
    await pass(500);
    newBlock(headAt(1));
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

  it('renews its presence, or shows it anew once lost', async () => {
    start([]);
    // In the middle between two looks at shares.
    await pass(500);
    const shown = () => [...tokens.keys()].filter((name) => name.startsWith('replica/'));
    const blocks = async (count: number) => {
      for (let number = 0; number < count; number += 1) {
        newBlock(headAt(number));
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

  it('at its end releases all and claims nothing more', async () => {
    start(wallets(2));
    newBlock(headAt(1));
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
