import type { BlockHead, HeadListener } from '@maker/chain';
import { ALL_JOBS, type Execution } from '@maker/execution-records';
import { type Lease, LeaseLostError, type Leases } from '@maker/persistence';
import { pino } from 'pino';
import { afterEach, beforeEach, vi } from 'vitest';
import type { MakerConfiguration } from '../configuration.ts';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import { headAt, RULES, sessionOf } from '../session/session.fixture.ts';
import type { Session } from '../session/session.ts';
import type { Apply } from './apply.ts';
import type { TickSources } from './tick-sources.ts';
import { WalletOwner } from './wallet-owner.ts';

export const LEASE_SECONDS = 3;

const nameOf = ({ name, token }: Lease) => `${name}#${token}`;
/** An operator's pause of all jobs, so that ticks only run a spec's `tick`. */
const PAUSE = { jobId: ALL_JOBS, kind: 'pause', version: '1' } as const;

export const executionOf = (id: string, walletAddress: string): Execution =>
  sessionOf({ id, walletAddress: walletAddress as Execution['walletAddress'], phase: 'trading' }).execution;

/** Returns the executions of `count` jobs, each with a wallet. */
export const wallets = (count: number) =>
  Array.from({ length: count }, (_, index) => executionOf(`job ${index + 1}`, `0x0${index + 1}`));

export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** The fakes around an owner: specs change their answers, and read the owner's actions. */
interface World {
  owner: WalletOwner;
  newBlock: HeadListener;
  /** Number of owners that each lease has had. */
  readonly tokens: Map<string, number>;
  renew: (lease: Lease) => Promise<void>;
  tick: (lease: Lease) => Promise<void>;
  renewals: string[];
  readonly ticks: string[];
  /** Leases that other replicas hold, and leases that this one released. */
  readonly elsewhere: Set<string>;
  readonly released: string[];
  /** Prefixes of the names of removed rows. */
  readonly removed: string[];
  replicas: number;
  othersClaim: boolean;
  /** Leases that another replica acquires first, and executions that have ended since the list was read. */
  readonly taken: Set<string>;
  readonly gone: Set<string>;
  refuseRelease: Error | undefined;
  refuseList: Error | undefined;
  /** Number of reads of the held leases. */
  leaseReads: number;
  /** Number of reads of the executions at work. */
  lists: number;
  /** The newest block before the first claim. */
  headBefore: BlockHead | undefined;
  feedState: string;
  /** Called when work came for a wallet. */
  work: () => void;
  /** Jobs whose facts were read, by request. */
  readonly factsRead: (readonly string[])[];
  /** Chain time at which each tick finds no room in the minute's gas, ms. */
  noRoomAtMs: number | null;
  /** Calls of the metrics, and lines of the log. */
  metrics: { room: { count: () => number } };
  readonly measured: unknown[];
  readonly lines: { msg: string; [field: string]: unknown }[];
}

/** Returns a world before an owner has started. */
function newWorld(): Omit<World, 'owner' | 'newBlock' | 'work' | 'metrics'> {
  return {
    tokens: new Map(),
    renew: async () => undefined,
    tick: async () => undefined,
    renewals: [],
    ticks: [],
    elsewhere: new Set(),
    released: [],
    removed: [],
    replicas: 1,
    othersClaim: false,
    taken: new Set(),
    gone: new Set(),
    refuseRelease: undefined,
    refuseList: undefined,
    leaseReads: 0,
    lists: 0,
    headBefore: undefined,
    feedState: 'new',
    factsRead: [],
    noRoomAtMs: null,
    measured: [],
    lines: [],
  };
}

/** The world of each test of a file. */
export const world = newWorld() as World;

/** Gives each test of a file a new {@link world} and fake timers. */
export function useWorld(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    Object.assign(world, newWorld());
  });
  afterEach(async () => {
    await world.owner.beforeApplicationShutdown();
    vi.useRealTimers();
  });
}

/** Starts an owner in the {@link world}. @param executions that have work to do */
export function start(executions: readonly Execution[]): void {
  const leases = {
    async acquire(name: string): Promise<Lease | undefined> {
      if (world.taken.has(name)) return undefined;
      world.tokens.set(name, (world.tokens.get(name) ?? 0) + 1);
      return { name, owner: 'we', token: world.tokens.get(name) ?? 0 };
    },
    renew(lease: Lease) {
      world.renewals.push(nameOf(lease));
      return world.renew(lease);
    },
    async renewAll(all: readonly Lease[]) {
      const lost: Lease[] = [];
      await Promise.all(
        all.map(async (lease) => {
          try {
            await leases.renew(lease);
          } catch (error) {
            if (!(error instanceof LeaseLostError)) throw error;
            lost.push(lease);
          }
        }),
      );
      return lost;
    },
    async release({ name }: Lease) {
      if (world.refuseRelease) throw world.refuseRelease;
      world.released.push(name);
      if (world.othersClaim) world.elsewhere.add(name);
    },
    async held() {
      world.leaseReads += 1;
      return world.elsewhere;
    },
    countHeld: async () => world.replicas,
    async removeExpired(prefix: string) {
      world.removed.push(prefix);
    },
  };
  const apply = {
    async save(session: Session, decisions: unknown) {
      world.ticks.push(nameOf(session.lease));
      await world.tick(session.lease);
      const memory = { ...session.memory, noRoomAtMs: world.noRoomAtMs };
      return { session: { ...session, memory }, decisions, outgoing: [] };
    },
    send: async (session: Session) => session,
  };
  const feed = {
    head: world.headBefore,
    now: () => Date.now(),
    chainNowMs: headAt(100).timestampMs,
    listen(listener: HeadListener) {
      world.newBlock = listener;
    },
    start() {
      world.feedState = 'started';
    },
    async stop() {
      world.feedState = 'stopped';
    },
  };
  const atWork = async () => {
    world.lists += 1;
    if (world.refuseList) throw world.refuseList;
    return executions;
  };
  const find = async (id: string) => executions.find((execution) => execution.id === id && !world.gone.has(id));
  const facts = {
    jobsAtWork: async () => [],
    async of(jobIds: readonly string[]) {
      world.factsRead.push(jobIds);
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
        world.work = listener;
      },
    },
  };
  world.metrics = { room: { count: () => Number.NaN } };
  world.owner = new WalletOwner(
    { MAKER_LEASE_SECONDS: LEASE_SECONDS } as MakerConfiguration,
    leases as unknown as Leases,
    sources as unknown as TickSources,
    apply as unknown as Apply,
    {
      ...world.metrics,
      head: ({ number }: BlockHead) => world.measured.push(['head', number]),
      wallets: (count: number) => world.measured.push(['wallets', count]),
      leaseLost: () => world.measured.push('lease lost'),
      fault: () => undefined,
    } as unknown as MakerMetrics,
    pino({}, { write: (line: string) => world.lines.push(JSON.parse(line)) }),
  );
  world.owner.onApplicationBootstrap();
}
