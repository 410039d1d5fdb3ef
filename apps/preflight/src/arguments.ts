import { parseArgs } from 'node:util';
import { chainEnvironment, configuredAddress } from '@maker/chain';
import type { Address } from 'viem';
import { z } from 'zod';

export const USAGE = `usage: npm run preflight -- [--rpc <url>]... [options]
  --rpc <url>                      an endpoint; repeat the option in the order of the product's list
  --chain-id <id>                  999, 998 or 31337; by default that of the first endpoint
  --exchanges <file>               a list of exchanges that replaces the built-in one
  --token <address>                a token for a trial purchase and sale
  --requests-per-minute <n>[,<n>]  the limit of each endpoint
  --record <directory>             saves the answers in this directory, without keys
Without an option, preflight reads the variables of the services: CHAIN_RPC_URLS, CHAIN_ID, CHAIN_EXCHANGES_FILE and
CHAIN_RPC_REQUESTS_PER_MINUTE. It sends no transaction. Exit status: 1, the product would not work; 2, wrong options.`;

/** The arguments of the program are invalid. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
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
export function readArguments(args: readonly string[], environment: NodeJS.ProcessEnv): Arguments {
  const values = parse(args);
  const settings = { ...environment };
  if (values.rpc) settings.CHAIN_RPC_URLS = values.rpc.join(',');
  for (const option of ['chain-id', 'exchanges', 'requests-per-minute'] as const) {
    if (values[option] !== undefined) settings[ENVIRONMENT_OF[option]] = values[option];
  }
  if (!settings.CHAIN_RPC_URLS) throw new UsageError(`--rpc is missing: name the endpoint to check\n\n${USAGE}`);
  const parsed = schema.safeParse(settings);
  if (!parsed.success) throw new UsageError(parsed.error.issues.map(sentenceOf).join('; '));
  const token = values.token ?? environment.PREFLIGHT_TOKEN;
  const parsedToken = configuredAddress.optional().safeParse(token);
  if (!parsedToken.success) throw new UsageError(`--token: ${parsedToken.error.issues[0]?.message}`);
  return { ...parsed.data, token: parsedToken.data, record: values.record };
}

function parse(args: readonly string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        rpc: { type: 'string', multiple: true },
        'chain-id': option,
        exchanges: option,
        token: option,
        'requests-per-minute': option,
        record: option,
      },
    }).values;
  } catch (error) {
    const [sentence] = error instanceof Error ? error.message.split('. ') : [String(error)];
    throw new UsageError(`${sentence}\n\n${USAGE}`);
  }
}

function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  const name = Object.entries(ENVIRONMENT_OF).find(([, variable]) => variable === path[0])?.[0];
  const place = typeof path[1] === 'number' ? `, number ${path[1] + 1}` : '';
  return `${name ? `--${name}` : String(path[0])}${place}: ${message}`;
}
