import type { Clock, Logger, SteadyClock } from '@maker/service-kit';
import type { Address } from 'viem';
import type { WrongAsset } from '../watch/watch.ts';
import type { SearchedWatch, WatchAge, WatchesRepository } from '../watch/watches.repository.ts';
import type { Finds } from './finds.ts';
import type { ReportFindService } from './report-find.service.ts';

/** Greatest age of a job, or time since its end, at which its address is searched, ms. */
const MOST_AGE_MS = 16 * 60_000;
/** Search schedule: ages of a waiting job, and times since the end of an ended job. */
const SEARCHES = [...agesOf('createdAt', [1, 3, 7, 14].map(inMs)), ...agesOf('endedAt', [1, 10].map(inMs))];

/** Time between two rounds, ms; and addresses of a round. */
export const SEARCH_ROUND_MS = 10_000;
const MOST_A_ROUND = 20;

/** Search for one kind of asset that pays for no job. */
export interface AssetSearch<Kind extends WrongAsset> {
  readonly kind: Kind;
  readonly isConfigured: boolean;
  /** Names the search in the log. */
  readonly name: string;
  /** Addresses in one call, and calls in parallel. */
  readonly addressesPerCall: number;
  readonly concurrentCalls: number;
  /** The result for an address without such assets. */
  readonly nothing: Finds[Kind];
  /**
   * @param before the last reported find of each address
   * @returns the find of each address, in the same order; undefined if it could not be read
   */
  find(
    watches: readonly SearchedWatch[],
    before: readonly (Finds[Kind] | undefined)[],
  ): Promise<readonly (Finds[Kind] | undefined)[]>;
}

/**
 * Searches the addresses of waiting and ended jobs for assets that pay for no job. The payer sees such a payment within a minute or two.
 * Reported assets of ended jobs are searched until they are gone. The scan never waits for a search. Source: docs/adr/0092, docs/adr/0093.
 */
export class ScheduledSearch<Kind extends WrongAsset> {
  /** Last search of each address by this process, as an index of {@link SEARCHES}. After a restart the search runs once more. */
  private readonly searched = new Map<Address, { readonly search: number; readonly atMs: number }>();
  private nextRoundAtMs = 0;
  private isSearching = false;

  constructor(
    private readonly clock: Clock,
    private readonly search: AssetSearch<Kind>,
    private readonly watches: Pick<WatchesRepository, 'toSearch' | 'toSearchAgain'>,
    private readonly finds: Pick<ReportFindService, 'report' | 'keep'>,
    private readonly logger: Logger,
    private readonly steady: SteadyClock = clock,
  ) {}

  /** Runs a round if one is due. Never rejects. */
  async afterBlock(): Promise<void> {
    if (!this.search.isConfigured || this.isSearching || this.steady.now() < this.nextRoundAtMs) return;
    this.nextRoundAtMs = this.steady.now() + SEARCH_ROUND_MS;
    this.isSearching = true;
    try {
      await this.round(this.clock.now());
    } catch (error) {
      this.logger.warn({ err: error }, `search for ${this.search.name} failed, retrying in 10 s`);
    } finally {
      this.isSearching = false;
    }
  }

  private async round(nowMs: number): Promise<void> {
    const { kind, addressesPerCall, concurrentCalls } = this.search;
    for (const [address, { atMs }] of this.searched) if (atMs <= nowMs - MOST_AGE_MS) this.searched.delete(address);
    const due = await this.watches.toSearch(kind, this.dueAges(nowMs), MOST_A_ROUND);
    const reported = await this.watches.toSearchAgain(kind, nowMs, MOST_A_ROUND);
    const again = reported.filter(({ address }) => due.every((one) => one.address !== address));
    const calls = inParts([...due, ...again].slice(0, MOST_A_ROUND), addressesPerCall);
    for (const some of inParts(calls, concurrentCalls)) {
      const made = await Promise.allSettled(some.map((part) => this.find(part, nowMs)));
      const failed = made.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    }
  }

  /** The ages of {@link SEARCHES}, each without the addresses already searched at that age. */
  private dueAges(nowMs: number): WatchAge[] {
    const searched = Map.groupBy(this.searched.keys(), (address) => this.searched.get(address)?.search);
    return SEARCHES.map(({ since, fromMs, toMs }, search) => ({
      since,
      afterMs: nowMs - toMs,
      untilMs: nowMs - fromMs,
      except: searched.get(search) ?? [],
    }));
  }

  /** @throws the error of the search */
  private async find(watches: readonly SearchedWatch[], nowMs: number): Promise<void> {
    const { kind, nothing } = this.search;
    const before = watches.map(({ find }) => find?.reported as Finds[Kind] | undefined);
    const founds = await this.search.find(watches, before);
    for (const [index, watch] of watches.entries()) {
      const found = founds[index];
      const isNews = found !== undefined && JSON.stringify(found) !== JSON.stringify(before[index] ?? nothing);
      if (isNews) await this.finds.report(kind, watch.jobId, found);
      else if (watch.find) await this.finds.keep(kind, watch.jobId, watch.find);
      this.searched.set(watch.address, { search: searchOf(watch, nowMs), atMs: nowMs });
    }
  }
}

/** Index in {@link SEARCHES} of the search that is due for a job; -1 if none is due. */
function searchOf({ createdAtMs, endedAtMs }: SearchedWatch, nowMs: number): number {
  const since = endedAtMs === undefined ? 'createdAt' : 'endedAt';
  const age = nowMs - (endedAtMs ?? createdAtMs);
  return SEARCHES.findIndex((search) => search.since === since && age >= search.fromMs && age < search.toMs);
}

/** Returns each age with its end, which is the next age. */
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
