import type { Clock, Logger } from '@maker/service-kit';
import type { Address } from 'viem';
import type { WrongAsset } from '../watch/watch.ts';
import type { SearchedWatch, WatchAge, WatchesRepository } from '../watch/watches.repository.ts';
import type { Finds } from './finds.ts';
import type { TellFindService } from './tell-find.service.ts';

/** A job that is older, or ended longer ago, is not searched any more, ms. */
const MOST_AGE_MS = 16 * 60_000;
/** Ages of a job at which its address is searched, ms: while it waits for its payment, and then since its end. */
const SEARCHES = [...agesOf('createdAt', [1, 3, 7, 14].map(inMs)), ...agesOf('endedAt', [1, 10].map(inMs))];

/** Time between two rounds, ms; and addresses of a round. */
const ROUND_MS = 10_000;
const MOST_A_ROUND = 20;

/** Assets of one kind that pay for nothing. */
export interface AssetSearch<Kind extends WrongAsset> {
  readonly kind: Kind;
  readonly isConfigured: boolean;
  /** Names the search in the log. */
  readonly name: string;
  /** Addresses of one call, and calls at once. */
  readonly addressesPerCall: number;
  readonly callsAtOnce: number;
  /** What is found where nothing is. */
  readonly nothing: Finds[Kind];
  /**
   * @param before what was told of each, where something was
   * @returns what is at each, in their order; undefined where that could not be read
   */
  find(
    watches: readonly SearchedWatch[],
    before: readonly (Finds[Kind] | undefined)[],
  ): Promise<readonly (Finds[Kind] | undefined)[]>;
}

/**
 * Searches the addresses of jobs that wait for their payment, and of those that ended, for assets that pay for nothing: a payer who sent
 * some hears of it in a minute or two. What was told of an ended job is searched until it is gone. The scan waits for none of it.
 * Source: docs/adr/0092, docs/adr/0093.
 */
export class ScheduledSearch<Kind extends WrongAsset> {
  /** The last search of each address by this process, by its place in {@link SEARCHES}: after a restart it is searched once more. */
  private readonly searched = new Map<Address, { readonly search: number; readonly atMs: number }>();
  private nextRoundAtMs = 0;
  private isSearching = false;

  constructor(
    private readonly clock: Clock,
    private readonly search: AssetSearch<Kind>,
    private readonly watches: Pick<WatchesRepository, 'toSearch' | 'toSearchAgain'>,
    private readonly finds: Pick<TellFindService, 'tell' | 'keep'>,
    private readonly logger: Logger,
  ) {}

  /** Begins a round where one is due. It never fails. */
  async afterBlock(): Promise<void> {
    const nowMs = this.clock.now();
    if (!this.search.isConfigured || this.isSearching || nowMs < this.nextRoundAtMs) return;
    this.nextRoundAtMs = nowMs + ROUND_MS;
    this.isSearching = true;
    try {
      await this.round(nowMs);
    } catch (error) {
      this.logger.warn({ err: error }, `search for ${this.search.name} failed, retrying in 10 s`);
    } finally {
      this.isSearching = false;
    }
  }

  private async round(nowMs: number): Promise<void> {
    const { kind, addressesPerCall, callsAtOnce } = this.search;
    for (const [address, { atMs }] of this.searched) if (atMs <= nowMs - MOST_AGE_MS) this.searched.delete(address);
    const due = await this.watches.toSearch(kind, this.dueAges(nowMs), MOST_A_ROUND);
    const told = await this.watches.toSearchAgain(kind, nowMs, MOST_A_ROUND);
    const again = told.filter(({ address }) => due.every((one) => one.address !== address));
    const calls = inParts([...due, ...again].slice(0, MOST_A_ROUND), addressesPerCall);
    for (const some of inParts(calls, callsAtOnce)) {
      const made = await Promise.allSettled(some.map((part) => this.find(part, nowMs)));
      const failed = made.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    }
  }

  /** The ages of {@link SEARCHES}, each without the addresses that were searched at it. */
  private dueAges(nowMs: number): WatchAge[] {
    const searched = Map.groupBy(this.searched.keys(), (address) => this.searched.get(address)?.search);
    return SEARCHES.map(({ since, fromMs, toMs }, search) => ({
      since,
      afterMs: nowMs - toMs,
      untilMs: nowMs - fromMs,
      besides: searched.get(search) ?? [],
    }));
  }

  /** @throws what the search fails with */
  private async find(watches: readonly SearchedWatch[], nowMs: number): Promise<void> {
    const { kind, nothing } = this.search;
    const before = watches.map(({ find }) => find?.told as Finds[Kind] | undefined);
    const founds = await this.search.find(watches, before);
    for (const [index, watch] of watches.entries()) {
      const found = founds[index];
      const isNews = found !== undefined && JSON.stringify(found) !== JSON.stringify(before[index] ?? nothing);
      if (isNews) await this.finds.tell(kind, watch.jobId, found);
      else if (watch.find) await this.finds.keep(kind, watch.jobId, watch.find);
      this.searched.set(watch.address, { search: searchOf(watch, nowMs), atMs: nowMs });
    }
  }
}

/** The search that is due of a job, by its place in {@link SEARCHES}; -1 where none is. */
function searchOf({ createdAtMs, endedAtMs }: SearchedWatch, nowMs: number): number {
  const since = endedAtMs === undefined ? 'createdAt' : 'endedAt';
  const age = nowMs - (endedAtMs ?? createdAtMs);
  return SEARCHES.findIndex((search) => search.since === since && age >= search.fromMs && age < search.toMs);
}

/** Each age with the one at which it is over. */
function agesOf(since: WatchAge['since'], fromMs: readonly number[]) {
  return fromMs.map((ms, index) => ({ since, fromMs: ms, toMs: fromMs[index + 1] ?? MOST_AGE_MS }));
}

function inMs(minutes: number): number {
  return minutes * 60_000;
}

function inParts<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, part) =>
    values.slice(part * size, (part + 1) * size),
  );
}
