import { chainEnvironment, configuredAddress } from '@maker/chain';
import type { Address } from 'viem';
import { z } from 'zod';
import { UsageError } from '../command-error.ts';

/** Options of `preflight`. */
export interface PreflightOptions {
  /** In the order of the product's list. */
  readonly rpc?: readonly string[];
  readonly chainId?: string;
  readonly exchanges?: string;
  readonly token?: string;
  readonly requestsPerMinute?: string;
  readonly record?: string;
}

const ENVIRONMENT_OF = {
  rpc: 'CHAIN_RPC_URLS',
  'chain-id': 'CHAIN_ID',
  exchanges: 'CHAIN_EXCHANGES_FILE',
  'requests-per-minute': 'CHAIN_RPC_REQUESTS_PER_MINUTE',
} as const;

const schema = z.object({ ...chainEnvironment, CHAIN_ID: chainEnvironment.CHAIN_ID.optional() });

export interface Arguments extends z.infer<typeof schema> {
  readonly token: Address | undefined;
  readonly record: string | undefined;
}

/**
 * Reads the arguments; they override the environment.
 * @throws UsageError with one line that names the argument; never with a URL, which may contain a key
 */
export function readArguments(options: PreflightOptions, environment: NodeJS.ProcessEnv): Arguments {
  const typed = {
    CHAIN_RPC_URLS: options.rpc?.join(','),
    CHAIN_ID: options.chainId,
    CHAIN_EXCHANGES_FILE: options.exchanges,
    CHAIN_RPC_REQUESTS_PER_MINUTE: options.requestsPerMinute,
  };
  const settings = { ...environment, ...Object.fromEntries(Object.entries(typed).filter(([, value]) => value)) };
  if (!settings.CHAIN_RPC_URLS) throw new UsageError('--rpc is missing: name the endpoint to check');
  const parsed = schema.safeParse(settings);
  if (!parsed.success) throw new UsageError(parsed.error.issues.map(sentenceOf).join('; '));
  const token = configuredAddress.optional().safeParse(options.token ?? environment.PREFLIGHT_TOKEN);
  if (!token.success) throw new UsageError(`--token: ${token.error.issues[0]?.message}`);
  return { ...parsed.data, token: token.data, record: options.record };
}

function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  const name = Object.entries(ENVIRONMENT_OF).find(([, variable]) => variable === path[0])?.[0];
  const place = typeof path[1] === 'number' ? `, number ${path[1] + 1}` : '';
  return `${name ? `--${name}` : String(path[0])}${place}: ${message}`;
}
