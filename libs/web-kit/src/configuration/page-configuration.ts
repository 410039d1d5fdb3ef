import type { ClientConfiguration } from '@maker/contracts';
import { hypeNumberToWei, MINIMUM_PAYMENT_WEI, minimumPayment, PAYMENT_TIMEOUT_MS } from '@maker/rules';
import { isText } from '../api/answer-shape.ts';

/** The client configuration as the pages use it. Source: specification § 3 'Client configuration'. */
export interface PageConfiguration {
  readonly apiBaseUrl: string;
  readonly apiKey: string;
  /** The treasury, which receives the fee. */
  readonly botWalletAddress: string;
  /** Always positive: 0.01 HYPE replaces an invalid value. Wei. */
  readonly minimumPaymentWei: bigint;
  readonly paymentTimeoutMs: number;
  readonly appName: string;
  readonly chainId: number;
  /** Without a trailing slash; empty if the network has no explorer. */
  readonly explorerUrl: string;
  /** The page that checks receipts; empty if there is none. */
  readonly verifyUrl: string;
  /** Links in the header; empty where the operator has none. */
  readonly socialUrl: string;
  readonly messagingUrl: string;
}

/** The configuration file is missing or unusable. */
export class ConfigurationError extends Error {
  readonly code = 'CONFIGURATION_UNUSABLE';

  constructor(what: string) {
    super(`/config.json ${what}`);
    this.name = 'ConfigurationError';
  }
}

/** Values of fields that the file omits; the addresses of the API and its key have no default. */
export const CONFIGURATION_DEFAULTS = {
  botWalletAddress: '',
  minimumPaymentWei: MINIMUM_PAYMENT_WEI,
  paymentTimeoutMs: PAYMENT_TIMEOUT_MS,
  appName: 'HyperEVM Maker Bot',
  chainId: 999,
  explorerUrl: 'https://hyperevmscan.io',
  verifyUrl: '',
  socialUrl: '',
  messagingUrl: '',
} as const satisfies Partial<PageConfiguration>;

const MS_PER_MINUTE = 60_000;

/**
 * Parses the body of `/config.json`. A minimum payment that is not positive becomes 0.01 HYPE.
 * Source: specification § 3. @throws ConfigurationError
 */
export function parseConfiguration(body: unknown): PageConfiguration {
  if (typeof body !== 'object' || body === null) throw new ConfigurationError('is not a JSON object');
  const file = body as Partial<ClientConfiguration>;
  const defaults = CONFIGURATION_DEFAULTS;
  if (!isText(file.apiBaseUrl) || file.apiBaseUrl === '') throw new ConfigurationError('names no apiBaseUrl');
  if (!isText(file.apiKey)) throw new ConfigurationError('names no apiKey');
  return {
    apiBaseUrl: file.apiBaseUrl.replace(/\/+$/, ''),
    apiKey: file.apiKey,
    botWalletAddress: textOr(file.botWalletAddress, defaults.botWalletAddress),
    minimumPaymentWei: readMinimumPayment(file.minimumPayment),
    paymentTimeoutMs:
      typeof file.paymentTimeoutMinutes === 'number' && file.paymentTimeoutMinutes > 0
        ? file.paymentTimeoutMinutes * MS_PER_MINUTE
        : defaults.paymentTimeoutMs,
    appName: textOr(file.appName, defaults.appName),
    chainId: typeof file.chainId === 'number' ? file.chainId : defaults.chainId,
    explorerUrl: webLinkOr(file.explorerUrl, defaults.explorerUrl).replace(/\/+$/, ''),
    verifyUrl: webLinkOr(file.verifyUrl, defaults.verifyUrl),
    socialUrl: webLinkOr(file.socialUrl, defaults.socialUrl),
    messagingUrl: webLinkOr(file.messagingUrl, defaults.messagingUrl),
  };
}

/** Fetches `/config.json`, bypassing caches, so that one build serves every environment. @throws ConfigurationError */
export async function loadConfiguration(fetchFile: typeof fetch = fetch): Promise<PageConfiguration> {
  let body: unknown;
  try {
    const response = await fetchFile('/config.json', { cache: 'no-store' });
    if (!response.ok) throw new ConfigurationError(`answered with status ${response.status}`);
    body = await response.json();
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError('could not be read');
  }
  return parseConfiguration(body);
}

function readMinimumPayment(hype: unknown): bigint {
  if (hype === undefined) return MINIMUM_PAYMENT_WEI;
  if (typeof hype !== 'number' || !(hype > 0)) return minimumPayment(0n);
  return minimumPayment(hypeNumberToWei(hype));
}

function textOr(value: unknown, otherwise: string): string {
  return isText(value) && value !== '' ? value : otherwise;
}

/** Only http links: although the file is the operator's, no `javascript:` link may enter the page. */
function webLinkOr(value: unknown, otherwise: string): string {
  if (value === '') return '';
  return isText(value) && /^https?:\/\//.test(value) ? value : otherwise;
}
