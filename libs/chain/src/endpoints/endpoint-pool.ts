import { setTimeout as wait } from 'node:timers/promises';
import { BaseError, type Hash } from 'viem';
import { isAnswer, meaningOf } from '../error-meaning.ts';
import { WrongChainError } from '../errors.ts';
import { type Endpoint, monotonicMs } from './endpoint.ts';
import { type EndpointChecks, readHash } from './endpoint-checks.ts';
import { RequestBudgetSpentError } from './request-budget.ts';
import { causeOf, type RpcCall } from './request-outcome.ts';
import type { Lane } from './request-window.ts';
import type { SeenHeads } from './seen-heads.ts';

const PAUSE_BETWEEN_ROUNDS_MS = 150;

/** Longest wait for what others say of a block, ms: until the next one stands on it there is hardly more to gain. */
const AGREED_WITHIN_MS = 300;

/** No endpoint may be asked: each is of another chain, refused, or out of reach. */
export class NoEndpointError extends BaseError {
  readonly code = 'NO_RPC_ENDPOINT';

  constructor(endpoints: readonly Endpoint[]) {
    const states = endpoints.map(({ origin, state }) => `${origin} is ${state.replace('_', ' ')}`);
    super(`No RPC endpoint can be used: ${states.join(', ')}.`, { name: 'NoEndpointError' });
  }
}

/** Endpoints that answer do not have a block yet that another has shown. To be asked for again, not to be taken as absent. */
export class BlockNotThereYetError extends BaseError {
  readonly code = 'BLOCK_NOT_THERE_YET';

  constructor() {
    super('The RPC endpoints in reach do not have this block yet, though another has shown a newer one.', {
      name: 'BlockNotThereYetError',
    });
  }
}

/** What a pool needs. */
export interface EndpointPoolOptions {
  readonly chainId: number;
  /** In the order in which they are asked. */
  readonly endpoints: readonly Endpoint[];
  readonly checks: EndpointChecks;
  readonly seen: SeenHeads;
  /** Further rounds over all endpoints after each has failed. */
  readonly retryCount: number;
  /** Longest wait for a turn within an endpoint's limit, ms. */
  readonly mostWaitMs: () => number;
}

/** One of the hosts that endpoints are of, which answers for itself alone. */
export interface EndpointHost {
  readonly origin: string;
  /** @throws what the request fails with */
  request(call: RpcCall): Promise<unknown>;
}

interface Answer {
  readonly endpoint: Endpoint;
  readonly value: unknown;
}

/**
 * Decides which endpoint is asked: the first in order that is of the right chain, agrees with the others, keeps up and has room within
 * its limit. The next is asked when one fails, and also when its answer is older than what was seen before.
 */
export class EndpointPool {
  private readonly options: EndpointPoolOptions;

  constructor(options: EndpointPoolOptions) {
    this.options = options;
  }

  /** @throws NoEndpointError, WrongChainError, RequestBudgetSpentError, BlockNotThereYetError, or what the call failed with */
  async request(call: RpcCall, lane: Lane = laneOf(call)): Promise<unknown> {
    await this.options.checks.beforeRequest();
    for (let round = 0; ; round += 1) {
      const failures: unknown[] = [];
      const answer = await this.ask(call, lane, failures);
      if (answer) return answer.value;
      const error = mostTelling(failures);
      const again = failures.some((failure) => !isAnswer(meaningOf(failure)) && !isOurs(failure));
      if (!again || round >= this.options.retryCount) throw error ?? this.nobody();
      await wait(PAUSE_BETWEEN_ROUNDS_MS);
    }
  }

  /** Whether two endpoints at least, of different hosts, have this very block, and none that answers soon has another in its place. */
  async agreesOn(height: number, hash: Hash): Promise<boolean> {
    const asked = this.candidates('read');
    if (asked.length < 2) return false;
    const tooLate = wait(AGREED_WITHIN_MS, undefined);
    const answers = await Promise.all(
      asked.map(async (endpoint) => ({
        origin: endpoint.origin,
        there: await Promise.race([readHash(endpoint, height), tooLate]),
      })),
    );
    const told = answers.filter(({ there }) => there !== undefined);
    return new Set(told.map(({ origin }) => origin)).size >= 2 && told.every(({ there }) => there === hash);
  }

  /** Hosts of the endpoints in use: the first endpoint of each. */
  hosts(): readonly EndpointHost[] {
    return this.hostsOf(this.candidates('read'));
  }

  /** The same, with those that show another branch: a liar that stands first has the others refused for that. */
  witnesses(): readonly EndpointHost[] {
    const forked = this.options.endpoints.filter(({ state }) => state === 'forked');
    return this.hostsOf([...this.candidates('read'), ...forked]);
  }

  private hostsOf(endpoints: readonly Endpoint[]): readonly EndpointHost[] {
    const byOrigin = new Map(endpoints.toReversed().map((endpoint) => [endpoint.origin, endpoint]));
    return [...byOrigin.values()].map((endpoint) => ({
      origin: endpoint.origin,
      request: (call) => endpoint.send(call, 'read', this.options.mostWaitMs()),
    }));
  }

  /** Asks those with room in their limits first; only where none of them helps, it waits for the others' turns. */
  private async ask(call: RpcCall, lane: Lane, failures: unknown[]): Promise<Answer | undefined> {
    const older: Answer[] = [];
    const full: Endpoint[] = [];
    for (const endpoint of this.candidates(lane)) {
      try {
        const answer = await this.askOne(endpoint, call, lane, 0, older);
        if (answer) return answer;
      } catch (error) {
        if (error instanceof RequestBudgetSpentError) full.push(endpoint);
        else this.note(error, failures);
      }
    }
    // Two infinite waits differ by NaN, which sort takes for equal.
    full.sort((one, other) => one.budget.waitMs(lane) - other.budget.waitMs(lane));
    const deadlineMs = monotonicMs() + this.options.mostWaitMs();
    for (const endpoint of this.isEnough(call, older) ? [] : full) {
      try {
        const answer = await this.askOne(endpoint, call, lane, Math.max(deadlineMs - monotonicMs(), 1), older);
        if (answer) return answer;
      } catch (error) {
        this.note(error, failures);
      }
    }
    return this.bestOf(call, older);
  }

  private async askOne(endpoint: Endpoint, call: RpcCall, lane: Lane, mostWaitMs: number, older: Answer[]) {
    const { seen } = this.options;
    const value = await endpoint.send(call, lane, mostWaitMs);
    const age = seen.age(call, value, monotonicMs());
    seen.saw(endpoint.position, call, value, monotonicMs());
    if (age === 'current') return { endpoint, value };
    older.push({ endpoint, value });
    return undefined;
  }

  /** @throws what no other endpoint can say better */
  private note(error: unknown, failures: unknown[]): void {
    if (['reverted', 'known'].includes(meaningOf(error))) throw error;
    failures.push(error);
  }

  /** What is believed when nobody gave a current answer. */
  private bestOf(call: RpcCall, older: readonly Answer[]): Answer | undefined {
    if (older.length === 0) return undefined;
    if (!this.isEnough(call, older)) throw new BlockNotThereYetError();
    const heights = older.map(({ value }) => heightOf(value));
    const best = older[heights.indexOf(Math.max(...heights))];
    return best && { ...best, value: this.options.seen.newestAnswer(call, best.value) };
  }

  /** That something is not there is believed only of an endpoint that should have it. */
  private isEnough(call: RpcCall, older: readonly Answer[]): boolean {
    const { seen } = this.options;
    return older.some(({ endpoint, value }) => value !== null || seen.hasReached(endpoint.position, call));
  }

  private candidates(lane: Lane): readonly Endpoint[] {
    const { endpoints } = this.options;
    const alone = endpoints.length === 1;
    const inUse = ({ state, judged }: Endpoint) => (state === 'serving' || state === 'resting') && (judged || alone);
    const serving = endpoints.filter(inUse);
    return serving.length > 0 ? serving : endpoints.filter((endpoint) => isLastResort(endpoint, lane));
  }

  private nobody(): Error {
    const { endpoints } = this.options;
    const wrong = endpoints.map(({ wrongChainId }) => wrongChainId);
    const [first] = wrong;
    if (first !== undefined && !wrong.includes(undefined)) return new WrongChainError(this.options.chainId, first);
    return new NoEndpointError(endpoints);
  }
}

function laneOf({ method }: RpcCall): Lane {
  return method === 'eth_sendRawTransaction' ? 'broadcast' : 'read';
}

/**
 * With nobody else to ask, one that fails is asked all the same. One that may be behind is good enough for broadcasts,
 * which change nothing by being early. One of another history never, one of another chain for its chain id alone.
 */
function isLastResort({ state, mayBeChecked }: Endpoint, lane: Lane): boolean {
  if (state === 'lagging' || state === 'stale') return lane === 'broadcast';
  if (state === 'wrong_chain') return mayBeChecked;
  return state !== 'forked';
}

/** A node's own words say more than that another was out of reach. */
function mostTelling(failures: readonly unknown[]): unknown {
  return failures.find((failure) => isAnswer(meaningOf(failure))) ?? failures.at(-1);
}

/** Failures that are repeated at once would fail again. */
function isOurs(failure: unknown): boolean {
  return failure instanceof RequestBudgetSpentError || causeOf(failure, WrongChainError) !== undefined;
}

function heightOf(value: unknown): number {
  if (value === null) return -1;
  return Number(typeof value === 'object' ? (value as { number?: unknown }).number : value);
}
