import { isAnswer, meaningOf, speaksAgainstEndpoint } from '../error-meaning.ts';
import { WrongChainError } from '../errors.ts';
import { Circuit } from './circuit.ts';
import { hostOf } from './host-of.ts';
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
 * State of an endpoint; a closed set, used as a metric's label. `serving` and `resting` ones are in use.
 * `wrong_chain` and each {@link Refusal} are refusals; `failing` does not answer; `resting` asked us to slow down.
 */
export type EndpointState = 'unchecked' | 'serving' | 'resting' | 'failing' | 'wrong_chain' | Refusal;

/** Callbacks about requests and endpoints. Positions count from 0 in the order of the configuration. */
export interface EndpointObserver {
  /** Called after each attempt at a request. @param ms time it took */
  readonly onRequest?: (method: string, outcome: RequestOutcome, ms: number, position: number) => void;
  /** Called when an endpoint's state changes. @param origin of its URL: the rest may hold a key */
  readonly onEndpointState?: (position: number, state: EndpointState, origin: string) => void;
  /** Called after a request waited for its turn. @param ms time it waited @param sent whether its turn came */
  readonly onWait?: (ms: number, sent: boolean) => void;
}

/** Settings of an endpoint. */
export interface EndpointSetting {
  readonly position: number;
  readonly url: string;
  readonly chainId: number;
  readonly limit: RequestLimit | undefined;
  readonly shape: WindowShape;
  readonly timeoutMs: number;
}

/** Pause before an endpoint of another chain is asked again, ms. */
const WRONG_CHAIN_PAUSE_MS = 600_000;

/** Rest after a rate limit without `Retry-After`, ms; doubles with each in a row. */
const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 600_000;

/** Time for which an endpoint gets no calls without a recipient after it refused one, ms. */
const REFUSAL_REMEMBERED_MS = 600_000;

/** One RPC endpoint: its limit, its faults, and the known facts about its chain. */
export class Endpoint {
  readonly position: number;
  readonly origin: string;
  /** See {@link hostOf}. */
  readonly host: string;
  refusal: Refusal | undefined;
  /** Whether a round of checks has judged it since it last failed. */
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
    this.host = hostOf(setting.url);
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

  /** The chain id of an endpoint of another chain. */
  get wrongChainId(): number | undefined {
    return typeof this.chain === 'object' ? this.chain.actual : undefined;
  }

  /** Whether a check may ask it now: an endpoint that is down or of another chain is asked rarely. */
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
   * Sends a call after the chain id is verified.
   * @throws WrongChainError, RequestBudgetSpentError, or the request's error
   */
  async send(call: RpcCall, lane: Lane, mostWaitMs: number): Promise<unknown> {
    await this.verify(mostWaitMs);
    return this.sendUnverified(call, lane, mostWaitMs);
  }

  /** Verifies the chain id: once, again after each time the endpoint was down, and rarely where it was wrong. */
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

  /** Reports a changed state to the observer. */
  report(): void {
    const { state } = this;
    // `unchecked` is not reported: another state follows soon.
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
    // After an outage the URL may lead to another node: a moved proxy, a new installation.
    this.chain = 'unknown';
    this.judged = false;
  }
}

/** A clock that never goes back, unlike wall clocks, ms. */
export function monotonicMs(): number {
  return performance.now();
}
