import { KnownChain, readPointer } from './known-chain.ts';
import { matchBlock } from './match-block.ts';
import { PhaseLock } from './phase-lock.ts';
import type { RpcRequest } from './rpc-request.ts';
import type { BlockPointer, ScanEvent, ScannedGap } from './scan-events.ts';
import { type ProofOptions, proveTransfers } from './signed-transfer.ts';
import { SteadyPace } from './steady-pace.ts';
import { keepShown, keepSuccessful } from './successful-transfers.ts';
import type { WatchedAddresses } from './watched-addresses.ts';
import { pointerOf, readBlock, readHeadNumber, readNewestBlock, type WireBlock } from './wire-block.ts';

const BLOCKS_READ_AHEAD = 8;
/** A block of so many times the gas of the one before is a big one, which comes beside a small one. Source: hyperevm § 1. */
const BIG_TO_SMALL = 5;
const MISSES_BEFORE_DOUBT = 16;
/** After so many, a transfer without a receipt stops the scan of all others no longer. */
const MISSES_BEFORE_UNSHOWN = 64;
/** Below the head by less, a block that is not there is one that a node has not heard of yet. */
const DEPTH_OF_GAPS = 8;
/** How often a block below the head is asked for before it counts as gone. */
const TRIES_BEFORE_GONE = 3;

/** The clock that paces polling: wall time in ms, and a wait that ends early when the signal is given. */
export interface ScanClock {
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** What a scan needs. */
export interface ScanOptions extends ProofOptions {
  readonly request: RpcRequest;
  /** May change while scanning: what is added is looked for from the next yielded block on. */
  readonly watched: WatchedAddresses;
  /** The last blocks scanned before, oldest first; the last is the cursor. Empty: begin at the newest block. */
  readonly after: readonly BlockPointer[];
  readonly signal: AbortSignal;
  readonly clock?: ScanClock;
  /**
   * Time between two looks at the head, ms, where requests are scarce: each look brings the newest block itself, so that
   * following takes one request for each block and none in vain. Phase-locked at each block by default.
   */
  readonly pollEveryMs?: number | undefined;
}

/**
 * Walks the chain block by block without gaps, from a cursor on and for ever: one `eth_getBlockByNumber` with full
 * transactions for each block, phase-locked at the head, eight at a time while catching up. It knows nothing of jobs
 * and keeps nothing: who consumes it saves the cursor. Ends when the signal is given.
 * @throws whatever the node or the connection fails with; begin again from the saved cursor
 */
export async function* scanBlocks(options: ScanOptions): AsyncGenerator<ScanEvent, void, void> {
  const { request, watched, signal, clock = wallClock } = options;
  const chain = new KnownChain(options.after);
  const ahead = new ReadAhead(request);
  const { pollEveryMs } = options;
  const lock = pollEveryMs ? new SteadyPace(clock.now(), pollEveryMs) : new PhaseLock(clock.now());
  let headNumber = await readHeadNumber(request);
  let next = (chain.tip?.number ?? headNumber - 1) + 1;
  let misses = 0;
  let gasLimit = Number.POSITIVE_INFINITY;

  while (!signal.aborted) {
    const following = next >= headNumber;
    if (following || misses > 0) {
      await clock.wait(lock.nextPollAtMs - clock.now(), signal);
      if (signal.aborted) return;
    }
    if (following && pollEveryMs) headNumber = Math.max(headNumber, ahead.keep(await readNewestBlock(request)));
    const absent = pollEveryMs !== undefined && next > headNumber;
    const block = absent ? null : await ahead.take(next, headNumber);

    if (!block) {
      misses += 1;
      ahead.clear();
      lock.missed(clock.now());
      if (misses % MISSES_BEFORE_DOUBT !== 0) continue;
      headNumber = await readHeadNumber(request);
      if (headNumber > next + DEPTH_OF_GAPS) {
        const gap = await findGap(request, next, headNumber);
        if (!gap) continue;
        chain.forget();
        next = gap.toBlock + 1;
        misses = 0;
        yield gap;
      } else if (await tipWasReplaced(request, chain)) {
        const commonAncestor = await chain.rewind(request);
        next = commonAncestor.number + 1;
        yield { kind: 'reorg', commonAncestor };
      }
      continue;
    }

    if (chain.tip && block.parentHash !== chain.tip.hash) {
      ahead.clear();
      const commonAncestor = await chain.rewind(request);
      next = commonAncestor.number + 1;
      yield { kind: 'reorg', commonAncestor };
      continue;
    }

    const matches = matchBlock(block, watched);
    const successful = await keepSuccessful(request, matches.transfers, block);
    if (!successful && misses < MISSES_BEFORE_UNSHOWN) {
      misses += 1;
      lock.missed(clock.now());
      continue;
    }
    const { transfers, unshown } = successful
      ? { transfers: successful, unshown: [] }
      : await keepShown(request, matches.transfers, block);

    const { proven, unproven: unsigned } = await proveTransfers(transfers, block, options);
    const unproven = [...unsigned, ...unshown];
    const pointer = pointerOf(block);
    headNumber = Math.max(headNumber, next);
    misses = 0;
    const beside = Number(block.gasLimit ?? 0) >= BIG_TO_SMALL * gasLimit;
    gasLimit = Number(block.gasLimit ?? Number.POSITIVE_INFINITY);
    if (following) {
      if (lock.arrived(clock.now(), pointer.timestampMs, beside)) headNumber = await readHeadNumber(request);
    } else lock.skipped(pointer.timestampMs);
    chain.extend(pointer);
    next += 1;
    yield {
      kind: 'block',
      block: pointer,
      transfers: proven,
      mentions: [...matches.mentions, ...unproven.map(({ transactionHash, to }) => ({ transactionHash, address: to }))],
      ...(unproven.length > 0 && { unproven }),
      senders: matches.senders,
      headNumber,
    };
    // Catching up took time, in which the head went on.
    if (!following && next >= headNumber && !pollEveryMs) headNumber = await readHeadNumber(request);
  }
}

/** Reads blocks before they are asked for, while the scan is behind the head. */
class ReadAhead {
  private readonly request: RpcRequest;
  private readonly reads = new Map<number, Promise<WireBlock | null>>();

  constructor(request: RpcRequest) {
    this.request = request;
  }

  async take(number: number, newest: number): Promise<WireBlock | null> {
    for (let ahead = number; ahead <= newest && ahead < number + BLOCKS_READ_AHEAD; ahead++) {
      if (this.reads.has(ahead)) continue;
      const read = readBlock(this.request, ahead);
      // A failure is the taker's to see, when its block's turn comes.
      read.catch(() => undefined);
      this.reads.set(ahead, read);
    }
    const read = this.reads.get(number) ?? readBlock(this.request, number);
    this.reads.delete(number);
    return read;
  }

  /** Keeps a block that was read in another way. @returns its number */
  keep(block: WireBlock): number {
    const { number } = pointerOf(block);
    this.reads.set(number, Promise.resolve(block));
    return number;
  }

  clear(): void {
    this.reads.clear();
  }
}

/** Blocks that the node should have, being below its head, and has not; undefined if it only lagged. */
async function findGap(request: RpcRequest, missing: number, headNumber: number): Promise<ScannedGap | undefined> {
  if (await isThere(request, missing)) return undefined;
  let absent = missing;
  let present = headNumber;
  while (present - absent > 1) {
    const middle = Math.floor((absent + present) / 2);
    if (await isThere(request, middle)) present = middle;
    else absent = middle;
  }
  return { kind: 'gap', fromBlock: missing, toBlock: absent };
}

/** Blocks of a gap are never scanned again: one that is null once may only be late. */
async function isThere(request: RpcRequest, number: number): Promise<boolean> {
  for (let tries = 0; tries < TRIES_BEFORE_GONE; tries += 1) {
    if (await readBlock(request, number, false)) return true;
  }
  return false;
}

/** Whether another block stands at the tip's height. A node that has none there only lags. */
async function tipWasReplaced(request: RpcRequest, chain: KnownChain): Promise<boolean> {
  if (!chain.tip) return false;
  const there = await readPointer(request, chain.tip.number);
  return there !== null && there.hash !== chain.tip.hash;
}

const wallClock: ScanClock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, Math.max(ms, 0));
      signal.addEventListener('abort', finish);
    }),
};
