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
/** A block with this multiple of the previous gas limit is a big one, which comes in addition to small ones. Source: hyperevm § 1. */
const BIG_TO_SMALL = 5;
const MISSES_BEFORE_DOUBT = 16;
/** After this many misses, a transfer without a receipt no longer stops the scan. */
const MISSES_BEFORE_UNSHOWN = 64;
/** Up to this depth below the head, an absent block only shows that a node has not received it yet. */
const DEPTH_OF_GAPS = 8;
/** Requests for a block below the head before it counts as gone. */
const TRIES_BEFORE_GONE = 3;

/** The clock that paces polling: it only goes forward, ms. Its wait ends early when the signal aborts. */
export interface ScanClock {
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Settings of a scan. */
export interface ScanOptions extends ProofOptions {
  readonly request: RpcRequest;
  /** May change during the scan: an added address counts from the next yielded block on. */
  readonly watched: WatchedAddresses;
  /** The last scanned blocks, oldest first; the last is the cursor. Empty: begin at the newest block. */
  readonly after: readonly BlockPointer[];
  readonly signal: AbortSignal;
  readonly clock?: ScanClock;
  /**
   * Time between two polls of the head, ms, where requests are scarce: each poll reads the newest block itself. Following
   * then takes one request for each block, and none fails. Phase-locked to each block by default.
   */
  readonly pollEveryMs?: number | undefined;
  /** Called at each round: the node has answered since the one before, with or without a new block. */
  readonly onRound?: () => void;
}

/**
 * Scans the chain block by block without gaps, from a cursor on: one `eth_getBlockByNumber` with full transactions for each
 * block, phase-locked at the head, eight in parallel while catching up. It knows no jobs and stores nothing: the consumer
 * saves the cursor. It ends when the signal aborts.
 * @throws the error of the node or the connection; start again from the saved cursor
 */
export async function* scanBlocks(options: ScanOptions): AsyncGenerator<ScanEvent, void, void> {
  const { request, watched, signal, clock = steadyClock, onRound } = options;
  const chain = new KnownChain(options.after);
  const ahead = new ReadAhead(request);
  const { pollEveryMs } = options;
  const lock = pollEveryMs ? new SteadyPace(clock.now(), pollEveryMs) : new PhaseLock(clock.now());
  let headNumber = await readHeadNumber(request);
  let next = (chain.tip?.number ?? headNumber - 1) + 1;
  let misses = 0;
  let gasLimit = Number.POSITIVE_INFINITY;

  while (!signal.aborted) {
    onRound?.();
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
    const beside = Number(block.gasLimit) >= BIG_TO_SMALL * gasLimit;
    gasLimit = Number(block.gasLimit);
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
    // The head has moved on during the catch-up.
    if (!following && next >= headNumber && !pollEveryMs) headNumber = await readHeadNumber(request);
  }
}

/** Reads blocks in advance while the scan is behind the head. */
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
      // The caller of take() gets the failure when it is this block's turn.
      read.catch(() => undefined);
      this.reads.set(ahead, read);
    }
    const read = this.reads.get(number) ?? readBlock(this.request, number);
    this.reads.delete(number);
    return read;
  }

  /** Stores a block that was already read. @returns its number */
  keep(block: WireBlock): number {
    const { number } = pointerOf(block);
    this.reads.set(number, Promise.resolve(block));
    return number;
  }

  clear(): void {
    this.reads.clear();
  }
}

/** Finds the blocks below the node's head that it does not have; undefined if it only lagged. */
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

/** Whether the node has a block. Asks several times: one null may only be late, and blocks of a gap are never scanned again. */
async function isThere(request: RpcRequest, number: number): Promise<boolean> {
  for (let tries = 0; tries < TRIES_BEFORE_GONE; tries += 1) {
    if (await readBlock(request, number, false)) return true;
  }
  return false;
}

/** Whether the node has another block at the tip's height. A node without a block there only lags. */
async function tipWasReplaced(request: RpcRequest, chain: KnownChain): Promise<boolean> {
  if (!chain.tip) return false;
  const there = await readPointer(request, chain.tip.number);
  return there !== null && there.hash !== chain.tip.hash;
}

const steadyClock: ScanClock = {
  now: () => performance.now(),
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
