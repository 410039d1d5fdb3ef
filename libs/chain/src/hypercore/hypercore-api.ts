import { type Address, parseUnits } from 'viem';
import { z } from 'zod';

/** A look must not hold anything up for long. */
const TIMEOUT_MS = 5000;

/** HYPE has 8 decimals on HyperCore and 18 on HyperEVM. Source: hyperevm § 1. */
const HYPE_DECIMALS = 18;

/** The least that HyperCore can move, in wei of HyperEVM. */
export const HYPERCORE_UNIT_WEI = 10n ** 10n;

const spotState = z.object({
  balances: z.array(z.object({ coin: z.string(), total: z.string().regex(/^\d+(\.\d{1,18})?$/) })),
});

const exchangeAnswer = z.object({ status: z.string(), response: z.unknown() });

/** HyperCore's API did not answer, or not in a form that is known; the message says which. */
export class HyperCoreUnavailableError extends Error {
  readonly code = 'HYPERCORE_UNAVAILABLE';

  constructor(what: string, cause?: unknown) {
    super(`HyperCore's API ${what}`, { cause });
    this.name = 'HyperCoreUnavailableError';
  }
}

/** What HyperCore made of an action: done, or refused in its own words. */
export type HyperCoreVerdict = { readonly kind: 'done' } | { readonly kind: 'refused'; readonly words: string };

/**
 * HyperCore's HTTP API, as far as it concerns HYPE that was sent on the wrong layer: the same address exists on both, and money does not
 * move between them by itself. Source: hyperevm § 1.1.
 */
export class HyperCoreApi {
  private readonly url: string;

  /** @param url without `/info` and `/exchange` */
  constructor(url: string) {
    this.url = url.replace(/\/$/, '');
  }

  /** HYPE that an address has on HyperCore, wei. Costs 2 of the 1200 a minute of an IP address. @throws HyperCoreUnavailableError */
  async hypeBalance(address: Address): Promise<bigint> {
    const answer = spotState.safeParse(await this.post('/info', { type: 'spotClearinghouseState', user: address }));
    if (!answer.success) throw new HyperCoreUnavailableError('gave no spot balances');
    const hype = answer.data.balances.find(({ coin }) => coin === 'HYPE');
    return hype ? parseUnits(hype.total, HYPE_DECIMALS) : 0n;
  }

  /**
   * Sends a signed action. Where there is no answer it may have been done all the same: the same bytes may be sent again, which are
   * taken once. @throws HyperCoreUnavailableError
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
