import { setTimeout as wait } from 'node:timers/promises';
import { BaseError } from 'viem';
import { isAnswer, meaningOf } from '../error-meaning.ts';
import { WrongChainError } from '../errors.ts';
import { type Endpoint, monotonicMs } from './endpoint.ts';
import type { EndpointChecks } from './endpoint-checks.ts';
import { RequestBudgetSpentError } from './request-budget.ts';
import { causeOf, type RpcCall } from './request-outcome.ts';
import type { Lane } from './request-window.ts';
import type { SeenHeads } from './seen-heads.ts';

const PAUSE_BETWEEN_ROUNDS_MS = 150;

/** No endpoint is usable: each is of another chain, refused, or unreachable. */
export class NoEndpointError extends BaseError {
  readonly code = 'NO_RPC_ENDPOINT';

  constructor(endpoints: readonly Endpoint[]) {
    const states = endpoints.map(({ origin, state }) => `${origin} is ${state.replace('_', ' ')}`);
    super(`No RPC endpoint can be used: ${states.join(', ')}.`, { name: 'NoEndpointError' });
  }
}

/** The reachable endpoints do not have a block yet that another one has shown. Retry: the block is not absent. */
export class BlockNotThereYetError extends BaseError {
  readonly code = 'BLOCK_NOT_THERE_YET';

  constructor() {
    super('The RPC endpoints in reach do not have this block yet, though another has shown a newer one.', {
      name: 'BlockNotThereYetError',
    });
  }
}

/** Dependencies and settings of {@link EndpointPool}. */
export interface EndpointPoolOptions {
  readonly chainId: number;
  /** In the order of use. */
  readonly endpoints: readonly Endpoint[];
  readonly checks: EndpointChecks;
  readonly seen: SeenHeads;
  /** Further rounds over all endpoints after all have failed. */
  readonly retryCount: number;
  /** Longest wait for a turn within an endpoint's limit, ms. */
  readonly mostWaitMs: () => number;
}

/** One host behind the endpoints, with requests that go to this host only. */
export interface EndpointHost {
  readonly origin: string;
  /** @param lane `read` by default @throws the request's error */
  request(call: RpcCall, lane?: Lane): Promise<unknown>;
}

interface Answer {
  readonly endpoint: Endpoint;
  readonly value: unknown;
}

/**
 * Chooses the endpoint of each request: the first in order that serves the right chain, agrees with the others, keeps up and has room
 * within its limit. It uses the next one after a failure, or after an answer older than an earlier one.
 */
export class EndpointPool {
  private readonly options: EndpointPoolOptions;

  constructor(options: EndpointPoolOptions) {
    this.options = options;
  }

  /** @throws NoEndpointError, WrongChainError, RequestBudgetSpentError, BlockNotThereYetError, or the call's own error */
  async request(call: RpcCall, lane: Lane = laneOf(call)): Promise<unknown> {
    await this.options.checks.beforeRequest();
    for (let round = 0; ; round += 1) {
      const failures: unknown[] = [];
      const answer = await this.ask(call, lane, failures);
      if (answer) return answer.value;
      const error = mostInformative(failures);
      const again = failures.some((failure) => !isAnswer(meaningOf(failure)) && !isOurs(failure));
      if (!again || round >= this.options.retryCount) throw error ?? this.noEndpoint();
      await wait(PAUSE_BETWEEN_ROUNDS_MS);
    }
  }

  /** Hosts of the endpoints in use: the first endpoint of each. */
  hosts(): readonly EndpointHost[] {
    return this.hostsOf(this.candidates('read'));
  }

  /** The same, with hosts that show another branch: a lying first endpoint makes the honest ones look forked. */
  witnesses(): readonly EndpointHost[] {
    const forked = this.options.endpoints.filter(({ state }) => state === 'forked');
    return this.hostsOf([...this.candidates('read'), ...forked]);
  }

  private hostsOf(endpoints: readonly Endpoint[]): readonly EndpointHost[] {
    const byHost = new Map(endpoints.toReversed().map((endpoint) => [endpoint.host, endpoint]));
    return [...byHost.values()].map((endpoint) => ({
      origin: endpoint.origin,
      request: (call, lane = 'read') => endpoint.send(call, lane, this.options.mostWaitMs()),
    }));
  }

  /** Asks endpoints with room in their limits first. Only if none of them answers, it waits for a turn at the others. */
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
    // Two infinite waits differ by NaN, which sort treats as equal.
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

  /** @throws an error that every other endpoint would also return */
  private note(error: unknown, failures: unknown[]): void {
    if (['reverted', 'known'].includes(meaningOf(error))) throw error;
    failures.push(error);
  }

  /** The best answer when no endpoint gave a current one. */
  private bestOf(call: RpcCall, older: readonly Answer[]): Answer | undefined {
    if (older.length === 0) return undefined;
    if (!this.isEnough(call, older)) throw new BlockNotThereYetError();
    const heights = older.map(({ value }) => heightOf(value));
    const best = older[heights.indexOf(Math.max(...heights))];
    return best && { ...best, value: this.options.seen.newestAnswer(call, best.value) };
  }

  /** Whether an answer is usable: null counts only from an endpoint that should have the block. */
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

  private noEndpoint(): Error {
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
 * Whether to ask an endpoint when none is in use. A failing one is asked. A lagging or stale one is asked for broadcasts only, which
 * are harmless at an old state. A forked one is never asked, and one of another chain only for its chain id.
 */
function isLastResort({ state, mayBeChecked }: Endpoint, lane: Lane): boolean {
  if (state === 'lagging' || state === 'stale') return lane === 'broadcast';
  if (state === 'wrong_chain') return mayBeChecked;
  return state !== 'forked';
}

/** Returns the most useful error: a node's own answer, rather than an unreachable endpoint. */
function mostInformative(failures: readonly unknown[]): unknown {
  return failures.find((failure) => isAnswer(meaningOf(failure))) ?? failures.at(-1);
}

/** Whether a failure is our own limit or configuration: an immediate retry would fail again. */
function isOurs(failure: unknown): boolean {
  return failure instanceof RequestBudgetSpentError || causeOf(failure, WrongChainError) !== undefined;
}

function heightOf(value: unknown): number {
  if (value === null) return -1;
  return Number(typeof value === 'object' ? (value as { number?: unknown }).number : value);
}
