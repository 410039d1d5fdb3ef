import { type Address, parseUnits } from 'viem';
import { z } from 'zod';

/** Longest wait for an answer, ms: it must not delay the caller for long. */
const TIMEOUT_MS = 5000;

/** HYPE has 8 decimals on HyperCore and 18 on HyperEVM. Source: hyperevm § 1. */
const HYPE_DECIMALS = 18;

/** The smallest amount that HyperCore can move, in wei of HyperEVM. */
export const HYPERCORE_UNIT_WEI = 10n ** 10n;

const spotState = z.object({
  balances: z.array(z.object({ coin: z.string(), total: z.string().regex(/^\d+(\.\d{1,18})?$/) })),
});

const exchangeAnswer = z.object({ status: z.string(), response: z.unknown() });

/** HyperCore's API did not answer, or in an unknown form; the message says which. */
export class HyperCoreUnavailableError extends Error {
  readonly code = 'HYPERCORE_UNAVAILABLE';

  constructor(what: string, cause?: unknown) {
    super(`HyperCore's API ${what}`, { cause });
    this.name = 'HyperCoreUnavailableError';
  }
}

/** HyperCore's result of an action: done, or refused in its own words. */
export type HyperCoreVerdict = { readonly kind: 'done' } | { readonly kind: 'refused'; readonly words: string };

/**
 * The part of HyperCore's HTTP API for HYPE that was sent on the wrong layer: each address exists on both layers, and money does not
 * move between them automatically. Source: hyperevm § 1.1.
 */
export class HyperCoreApi {
  private readonly url: string;

  /** @param url without `/info` and `/exchange` */
  constructor(url: string) {
    this.url = url.replace(/\/$/, '');
  }

  /** An address's HYPE on HyperCore, wei. Uses 2 of an IP address's weight of 1200 a minute. @throws HyperCoreUnavailableError */
  async hypeBalance(address: Address): Promise<bigint> {
    const answer = spotState.safeParse(await this.post('/info', { type: 'spotClearinghouseState', user: address }));
    if (!answer.success) throw new HyperCoreUnavailableError('gave no spot balances');
    const hype = answer.data.balances.find(({ coin }) => coin === 'HYPE');
    return hype ? parseUnits(hype.total, HYPE_DECIMALS) : 0n;
  }

  /**
   * Sends a signed action. Without an answer, HyperCore may still have executed it. You can send the same bytes again: HyperCore
   * executes them once. @throws HyperCoreUnavailableError
   */
  async send(signed: object): Promise<HyperCoreVerdict> {
    const answer = exchangeAnswer.safeParse(await this.post('/exchange', signed));
    if (!answer.success) throw new HyperCoreUnavailableError('gave no verdict');
    const { status, response } = answer.data;
    if (status === 'ok') return { kind: 'done' };
    return { kind: 'refused', words: typeof response === 'string' ? response.slice(0, 200) : 'it gave no reason' };
  }

  private async post(path: string, body: object): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new HyperCoreUnavailableError('does not answer', error);
    });
    if (!response.ok) throw new HyperCoreUnavailableError(`answered with HTTP ${response.status}`);
    return response.json().catch((error: unknown) => {
      throw new HyperCoreUnavailableError('did not answer in JSON', error);
    });
  }
}
