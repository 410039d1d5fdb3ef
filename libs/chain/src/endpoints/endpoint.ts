import { isAnswer, meaningOf, speaksAgainstEndpoint } from '../error-meaning.ts';
import { WrongChainError } from '../errors.ts';
import { Circuit } from './circuit.ts';
import { httpEndpoint } from './http-endpoint.ts';
import type { Refusal } from './judge-endpoints.ts';
import { RequestBudget } from './request-budget.ts';
import {
  DeploylessCallsRefusedError,
  isAbsence,
  isDeployless,
  outcomeOf,
  type RequestOutcome,
  type RpcCall,
  retryAfterOf,
} from './request-outcome.ts';
import { type Lane, type RequestLimit, RequestWindow, type WindowShape } from './request-window.ts';

/**
 * What is made of an endpoint; a closed set, fit for a metric's label. Only `serving` ones are asked while there is one.
 * `wrong_chain` and each {@link Refusal} are refusals; `failing` does not answer; `resting` was told to slow down.
 */
export type EndpointState = 'unchecked' | 'serving' | 'resting' | 'failing' | 'wrong_chain' | Refusal;

/** Who wants to hear of requests and endpoints. Positions count from 0 in the order of the configuration. */
export interface EndpointObserver {
  /** Called after each attempt at a request. @param ms time it took */
  readonly onRequest?: (method: string, outcome: RequestOutcome, ms: number, position: number) => void;
  /** Called when an endpoint's state changes. @param origin of its URL: the rest may hold a key */
  readonly onEndpointState?: (position: number, state: EndpointState, origin: string) => void;
  /** Called after a request waited for its turn. @param ms time it waited @param sent whether its turn came */
  readonly onWait?: (ms: number, sent: boolean) => void;
}

/** What an endpoint is made of. */
export interface EndpointSetting {
  readonly position: number;
  readonly url: string;
  readonly chainId: number;
  readonly limit: RequestLimit | undefined;
  readonly shape: WindowShape;
  readonly timeoutMs: number;
}

/** How long an endpoint of another chain is left alone before it is asked again, ms. */
const WRONG_CHAIN_PAUSE_MS = 600_000;

/** Rest after a rate limit that does not say how long, ms; doubles with each in a row. */
const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 600_000;

/** How long an endpoint that refused a call without a recipient is asked for none, ms. */
const REFUSAL_REMEMBERED_MS = 600_000;

/** One RPC endpoint: its limit, its faults, and what is known of the chain behind it. */
export class Endpoint {
  readonly position: number;
  readonly origin: string;
  refusal: Refusal | undefined;
  /** Whether a round of checks found nothing against it since it last failed. */
  judged = false;
  readonly budget: RequestBudget;
  private readonly circuit = new Circuit();
  private readonly request: (call: RpcCall) => Promise<unknown>;
  private readonly chainId: number;
  private readonly observer: EndpointObserver;
  private chain: 'unknown' | 'right' | { readonly actual: number; readonly askAgainAtMs: number } = 'unknown';
  private verifying: Promise<void> | undefined;
  private limitedInRow = 0;
  private takesNoDeploylessUntilMs = Number.NEGATIVE_INFINITY;
  private reported: EndpointState | undefined;

  constructor(setting: EndpointSetting, observer: EndpointObserver) {
    this.position = setting.position;
    this.origin = new URL(setting.url).origin;
    this.budget = new RequestBudget(new RequestWindow(setting.limit, setting.shape), monotonicMs);
    this.request = httpEndpoint(setting.url, setting.timeoutMs);
    this.chainId = setting.chainId;
    this.observer = observer;
  }

  get state(): EndpointState {
    if (typeof this.chain === 'object') return 'wrong_chain';
    if (this.circuit.open) return 'failing';
    if (this.refusal) return this.refusal;
    if (this.budget.rests) return 'resting';
    return this.chain === 'right' ? 'serving' : 'unchecked';
  }

  /** The chain id that a wrong endpoint gave. */
  get wrongChainId(): number | undefined {
    return typeof this.chain === 'object' ? this.chain.actual : undefined;
  }

  /** Whether a check may ask it now: one that is down or of another chain is asked seldom. */
  get mayBeChecked(): boolean {
    if (this.budget.rests) return false;
    if (typeof this.chain === 'object') return monotonicMs() >= this.chain.askAgainAtMs;
    return this.circuit.mayProbe(monotonicMs());
  }

  /** Whether it is down and its pause is over. */
  get isDueForProbe(): boolean {
    return this.circuit.open && this.mayBeChecked;
  }

  /**
   * Sends a call to an endpoint of which the chain id is known to be right, and asks for that first where it is not.
   * @throws WrongChainError, RequestBudgetSpentError, or what the request failed with
   */
  async send(call: RpcCall, lane: Lane, mostWaitMs: number): Promise<unknown> {
    await this.verify(mostWaitMs);
    return this.sendUnverified(call, lane, mostWaitMs);
  }

  /** Makes sure of the chain id: once, again after each time it was down, and rarely where it was wrong. */
  async verify(mostWaitMs: number): Promise<void> {
    const chain = this.chain;
    if (chain === 'right') return;
    if (chain !== 'unknown' && monotonicMs() < chain.askAgainAtMs) {
      throw new WrongChainError(this.chainId, chain.actual);
    }
    this.verifying ??= this.askChainId(mostWaitMs).finally(() => {
      this.verifying = undefined;
    });
    await this.verifying;
  }

  /** Tells the observer of a state that has changed. */
  report(): void {
    const { state } = this;
    // Nobody stays unchecked: it is on the way to another state.
    if (state === this.reported || state === 'unchecked') return;
    this.reported = state;
    this.observer.onEndpointState?.(this.position, state, this.origin);
  }

  private async askChainId(mostWaitMs: number): Promise<void> {
    const actual = Number(await this.sendUnverified({ method: 'eth_chainId', params: [] }, 'read', mostWaitMs));
    if (actual === this.chainId) {
      this.chain = 'right';
      this.report();
      return;
    }
    this.chain = { actual, askAgainAtMs: monotonicMs() + WRONG_CHAIN_PAUSE_MS };
    this.report();
    throw new WrongChainError(this.chainId, actual);
  }

  private async sendUnverified(call: RpcCall, lane: Lane, mostWaitMs: number): Promise<unknown> {
    if (monotonicMs() < this.takesNoDeploylessUntilMs && isDeployless(call)) throw new DeploylessCallsRefusedError();
    const slot = await this.turn(lane, mostWaitMs);
    const startedAt = performance.now();
    let outcome: RequestOutcome = 'ok';
    try {
      const answer = await this.request(call);
      this.answered();
      return answer;
    } catch (error) {
      if (isAbsence(error, call)) {
        this.answered();
        return null;
      }
      outcome = outcomeOf(error, call);
      this.failed(error, call);
      throw error;
    } finally {
      this.budget.answered(slot);
      this.observer.onRequest?.(call.method, outcome, performance.now() - startedAt, this.position);
      this.report();
    }
  }

  private async turn(lane: Lane, mostWaitMs: number) {
    const startedAt = performance.now();
    const waits = mostWaitMs > 0 && this.budget.waitMs(lane) > 0;
    let sent = false;
    try {
      const slot = await this.budget.acquire(lane, mostWaitMs);
      sent = true;
      return slot;
    } finally {
      if (waits) this.observer.onWait?.(performance.now() - startedAt, sent);
    }
  }

  private answered(): void {
    this.circuit.succeeded();
    this.limitedInRow = 0;
  }

  private failed(error: unknown, call: RpcCall): void {
    const meaning = meaningOf(error);
    if (meaning === 'unsupported' && isDeployless(call)) {
      this.takesNoDeploylessUntilMs = monotonicMs() + REFUSAL_REMEMBERED_MS;
    }
    if (meaning === 'limited') {
      const usualMs = FIRST_REST_MS * 2 ** Math.min(this.limitedInRow, 6);
      this.limitedInRow += 1;
      this.budget.rest(Math.min(retryAfterOf(error) ?? usualMs, LONGEST_REST_MS));
      return;
    }
    if (isAnswer(meaning)) this.answered();
    if (!speaksAgainstEndpoint(meaning, call.method)) return;
    this.circuit.failed(monotonicMs());
    if (!this.circuit.open) return;
    // Who comes back may be another: a proxy that was moved, a node that was set up anew.
    this.chain = 'unknown';
    this.judged = false;
  }
}

/** Never set back, as wall clocks are. */
export function monotonicMs(): number {
  return performance.now();
}
