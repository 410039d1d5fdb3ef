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

const nameOf = ({ name, token }: Lease) => `${name}#${token}`;
const executionOf = (id: string, walletAddress: string) => ({ id, walletAddress, phase: 'trading' }) as Execution;

beforeEach(() => {
  vi.useFakeTimers();
  tokens = new Map();
  renew = async () => undefined;
  tick = async () => undefined;
  renewals = [];
  ticks = [];
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
    release: async () => undefined,
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
    { active: async () => executions, find } as unknown as ExecutionsRepository,
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
});
