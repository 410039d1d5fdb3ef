import type { Address } from 'viem';
import { mayGoOtherwise, meaningOf } from '../error-meaning.ts';
import {
  BalanceReadError,
  type BalanceReading,
  type BalanceWay,
  byMulticall,
  byPlainCalls,
  byProgram,
} from './balance-ways.ts';
import { CallSize } from './call-size.ts';
import type { RpcRequest } from './rpc-request.ts';

/** Pause before a failed way is tried again, ms. */
const LEFT_OUT_MS = 600_000;

/** Settings of {@link BalanceReader}. */
export interface BalanceReaderOptions {
  /** The network's Multicall3: the fallback where an endpoint refuses calls without a recipient. */
  readonly multicall3?: Address | undefined;
  /** Most addresses of one call. */
  readonly addressesPerCall?: number;
  /** A clock that never goes back, ms. */
  readonly now?: () => number;
}

interface Way extends BalanceWay {
  readonly size: CallSize;
  leftOutUntilMs: number;
}

/**
 * Reads many native balances by one `eth_call` per about 2,400 addresses, always of the latest state: HyperEVM nodes
 * silently answer a request for an older state with the latest. Halves the size of its calls when the node refuses one (out of
 * gas, body too large), and tries larger ones again later. If the node refuses calls without a recipient, it reads by Multicall3,
 * and without that by plain calls (docs/adr/0025).
 */
export class BalanceReader {
  private readonly ways: readonly [Way, ...Way[]];
  private readonly now: () => number;

  constructor(request: RpcRequest, options: BalanceReaderOptions = {}) {
    const { multicall3, addressesPerCall, now = () => performance.now() } = options;
    const others = [...(multicall3 ? [byMulticall(request, multicall3)] : []), byPlainCalls(request)];
    this.ways = [wayOf(byProgram(request, addressesPerCall)), ...others.map(wayOf)];
    this.now = now;
  }

  /** Addresses that one call may hold, as currently known. */
  get addressesPerCall(): number {
    return this.open()[0].size.known;
  }

  /** Finds how many addresses one call may hold, by reading unowned addresses. @returns that number */
  async probe(): Promise<number> {
    const unowned = Array.from({ length: this.addressesPerCall }, (_, index) => unownedAddress(index));
    await this.readFirst(unowned);
    return this.addressesPerCall;
  }

  /**
   * Reads balances with several calls in parallel. Returns one reading for each call, with the block of that call.
   * @param addresses in lower case
   */
  async read(addresses: readonly Address[]): Promise<BalanceReading[]> {
    const readings: BalanceReading[] = [];
    for (let left = addresses; left.length > 0; ) {
      const { size, parallelCalls } = this.nextCalls();
      const parts = Array.from({ length: parallelCalls }, (_, index) => left.slice(index * size, (index + 1) * size));
      const started = parts.filter(({ length }) => length > 0);
      const read = await Promise.all(started.map((part) => this.readFirst(part)));
      readings.push(...read);
      // After a refusal for its size, a call reads fewer addresses.
      const missed = started.flatMap((part, index) => part.slice(read[index]?.addresses.length));
      left = [...missed, ...left.slice(parallelCalls * size)];
    }
    return readings;
  }

  /** Reads as many of the first addresses as one call can. Pauses a way that failed where another one succeeded. */
  private async readFirst(addresses: readonly Address[]): Promise<BalanceReading> {
    const refused: Way[] = [];
    let first: unknown;
    for (const way of this.open()) {
      try {
        const reading = await this.readBy(way, addresses);
        for (const other of refused) other.leftOutUntilMs = this.now() + LEFT_OUT_MS;
        return reading;
      } catch (error) {
        if (!isRefusal(error)) throw first ?? error;
        refused.push(way);
        first ??= error;
      }
    }
    throw first;
  }

  private async readBy({ read, size }: Way, addresses: readonly Address[]): Promise<BalanceReading> {
    for (;;) {
      const part = addresses.slice(0, size.next(this.now()));
      try {
        const reading = await read(part);
        size.answered(part.length);
        return reading;
      } catch (error) {
        if (!mayBeTooLarge(error) || !size.refused(part.length, this.now())) throw error;
      }
    }
  }

  private nextCalls(): { readonly size: number; readonly parallelCalls: number } {
    const [{ size, parallelCalls }] = this.open();
    return { size: size.next(this.now()), parallelCalls };
  }

  private open(): readonly [Way, ...Way[]] {
    const [first, ...others] = this.ways.filter(({ leftOutUntilMs }) => this.now() >= leftOutUntilMs);
    return first ? [first, ...others] : this.ways;
  }
}

function wayOf(way: BalanceWay): Way {
  return { ...way, size: new CallSize(way.most), leftOutUntilMs: Number.NEGATIVE_INFINITY };
}

/** Whether the size may be the cause: a balance read itself cannot fail, so an error without another known kind may be about the size. */
function mayBeTooLarge(error: unknown): boolean {
  const meaning = meaningOf(error);
  return mayGoOtherwise(meaning) && meaning !== 'unsupported';
}

/** Whether another way may succeed: the node answered and is reachable. */
function isRefusal(error: unknown): boolean {
  return error instanceof BalanceReadError || mayGoOtherwise(meaningOf(error));
}

function unownedAddress(index: number): Address {
  return `0x6e6f626f6479${index.toString(16).padStart(28, '0')}`;
}
