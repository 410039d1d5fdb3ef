import { type Address, decodeFunctionResult, type Hex } from 'viem';
import { multicall3Abi } from './abi/multicall3.ts';
import type { ChainClient } from './client.ts';
import { callEncoder } from './decode.ts';
import { meaningOf } from './error-meaning.ts';
import { ChainUnavailableError } from './errors.ts';

const aggregate3 = callEncoder(multicall3Abi, 'aggregate3');

/** One read of one contract. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
}

/**
 * Reads that together make one value. Several queries share one request, because the public RPC allows 100 requests
 * a minute.
 */
export interface Query<Value> {
  readonly calls: readonly Call[];
  /** Gets the returned data of each call in order; undefined where it reverted. */
  readonly decode: (returned: readonly (Hex | undefined)[]) => Value;
}

/** The answers to several queries, in their order. */
export type Answers<Queries extends readonly Query<unknown>[]> = {
  -readonly [Index in keyof Queries]: Queries[Index] extends Query<infer Value> ? Value : never;
};

/** Combines several queries into one. */
export function all<const Queries extends readonly Query<unknown>[]>(queries: Queries): Query<Answers<Queries>> {
  return {
    calls: queries.flatMap(({ calls }) => calls),
    decode(returned) {
      const rest = [...returned];
      return queries.map(({ calls, decode }) => decode(rest.splice(0, calls.length))) as never;
    },
  };
}

/**
 * Answers all queries at the latest block: with one `eth_call` where the network has Multicall3, else with one for
 * each read. A contract that uses up all gas leaves none for the reads after it. In that case each query gets its own request;
 * a query that still fails counts as reverted.
 * @param gas gas limit of each request; without it the node's own limit applies
 * @throws ChainUnavailableError when the endpoint fails; a reverted call is no failure but an answer
 */
export async function queryAll<const Queries extends readonly Query<unknown>[]>(
  client: ChainClient,
  queries: Queries,
  gas?: bigint,
): Promise<Answers<Queries>> {
  const multicall3 = client.chain.contracts?.multicall3?.address;
  const ask = (calls: readonly Call[]) =>
    multicall3 ? aggregate(client, multicall3, calls, gas) : each(client, calls, gas);
  const { calls, decode } = all(queries);
  return decode((await ask(calls)) ?? (await askSeparately(queries, ask)));
}

/** Returned data of the queries, each in its own request. */
async function askSeparately(
  queries: readonly Query<unknown>[],
  ask: (calls: readonly Call[]) => Promise<readonly (Hex | undefined)[] | undefined>,
): Promise<readonly (Hex | undefined)[]> {
  const returned = await Promise.all(
    queries.map(async ({ calls }) => (await ask(calls)) ?? calls.map(() => undefined)),
  );
  return returned.flat();
}

/** Answers one query; see {@link queryAll}. @throws ChainUnavailableError */
export async function query<Value>(client: ChainClient, single: Query<Value>, gas?: bigint): Promise<Value> {
  const [value] = await queryAll(client, [single], gas);
  return value;
}

/** @returns undefined where the calls together need more gas than one call may have */
async function aggregate(client: ChainClient, multicall3: Address, calls: readonly Call[], gas?: bigint) {
  const data = aggregate3(calls.map((call) => ({ target: call.to, allowFailure: true, callData: call.data })));
  const answer = await client.call({ to: multicall3, data, ...(gas && { gas }) }).catch((error: unknown) => {
    // Failures of single reads are allowed, so the whole call fails only for lack of gas.
    if (['too_large', 'reverted'].includes(meaningOf(error))) return undefined;
    throw new ChainUnavailableError(`read ${calls.length} contracts`, error);
  });
  if (!answer) return undefined;
  const { data: returned } = answer;
  if (!returned) throw new ChainUnavailableError(`read ${calls.length} contracts`, `no Multicall3 at ${multicall3}`);
  return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: returned }).map((result) =>
    result.success ? result.returnData : undefined,
  );
}

async function each(client: ChainClient, calls: readonly Call[], gas?: bigint): Promise<(Hex | undefined)[]> {
  return Promise.all(
    calls.map(async ({ to, data }) => {
      try {
        return (await client.call({ to, data, ...(gas && { gas }) })).data ?? '0x';
      } catch (error) {
        if (meaningOf(error) === 'reverted') return undefined;
        throw new ChainUnavailableError('read a contract', error);
      }
    }),
  );
}
