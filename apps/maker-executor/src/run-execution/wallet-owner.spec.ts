import { type Lease, LeaseLostError, type Leases } from '@maker/persistence';
import { createLogger } from '@maker/service-kit';
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
});

afterEach(async () => {
  await owner.beforeApplicationShutdown();
  vi.useRealTimers();
});

function start(executions: readonly Execution[]): void {
  const leases = {
    async acquire(name: string): Promise<Lease> {
      tokens.set(name, (tokens.get(name) ?? 0) + 1);
      return { name, owner: 'we', token: tokens.get(name) ?? 0 };
    },
    renew(lease: Lease) {
      renewals.push(nameOf(lease));
      return renew(lease);
    },
    async release({ name }: Lease) {
      released.push(name);
      if (othersClaim) elsewhere.add(name);
    },
    held: async () => elsewhere,
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
    head: undefined,
    listen(listener: HeadListener) {
      newBlock = listener;
    },
    start: () => undefined,
    stop: async () => undefined,
  };
  const find = async (id: string) => executions.find((execution) => execution.id === id);
  owner = new WalletOwner(
    { MAKER_LEASE_SECONDS: LEASE_SECONDS } as MakerConfiguration,
    leases as unknown as Leases,
    feed as unknown as HeadFeed,
    { atWork: async () => executions, find } as unknown as ExecutionsRepository,
    { open: async () => [] } as unknown as TransactionsRepository,
    fakeTick as unknown as ExecutionTick,
    { head: () => undefined, wallets: () => undefined, leaseLost: () => undefined } as unknown as MakerMetrics,
    createLogger('maker-executor', 'silent'),
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
});
