import { type Address, encodeFunctionData, type Hex, isAddressEqual, toFunctionSelector } from 'viem';
import { v2RouterAbi } from '../abi/uniswap-v2.ts';
import {
  v3FactoryAbi,
  v3PeripheryAbi,
  v3QuoterV1Abi,
  v3QuoterV2Abi,
  v3Router02Abi,
  v3RouterWithDeadlineAbi,
} from '../abi/uniswap-v3.ts';
import type { ChainClient } from '../client.ts';
import { decodeOrUndefined } from '../decode.ts';
import { ChainUnavailableError, WrongExchangeError } from '../errors.ts';
import type { Exchange, UniswapV2Exchange, UniswapV3Exchange } from '../exchanges/exchanges.ts';
import type { VerifiedExchange, VerifiedV3Exchange } from '../pools/exchange-adapter.ts';
import { type Query, queryAll } from '../query.ts';

/** Every fee tier that a Uniswap V3 fork on HyperEVM is said to have; each factory is asked which it really has. */
const KNOWN_FEE_TIERS = [100, 200, 250, 500, 1000, 2000, 2500, 3000, 10_000, 20_000];

const SWAP_WITH_DEADLINE = toFunctionSelector(v3RouterWithDeadlineAbi[0]);
const SWAP_WITHOUT_DEADLINE = toFunctionSelector(v3Router02Abi[0]);
const QUOTE_V1 = toFunctionSelector(v3QuoterV1Abi[0]);
const QUOTE_V2 = toFunctionSelector(v3QuoterV2Abi[0]);

/**
 * Checks each entry against the chain: code at every address, and what router and quoter say their factory and wrapped
 * native coin are. Source: design § 7.
 * @returns the entries with what only the chain knows: fee tiers, and router and quoter versions
 * @throws WrongExchangeError naming the first wrong exchange and what differs
 * @throws ChainUnavailableError when the endpoint does not answer
 */
export async function verifyExchanges(
  client: ChainClient,
  exchanges: readonly Exchange[],
): Promise<readonly VerifiedExchange[]> {
  const verified: VerifiedExchange[] = [];
  for (const exchange of exchanges) {
    verified.push(exchange.kind === 'uniswap-v2' ? await verifyV2(client, exchange) : await verifyV3(client, exchange));
  }
  return verified;
}

async function verifyV2(client: ChainClient, exchange: UniswapV2Exchange): Promise<UniswapV2Exchange> {
  await codeOf(client, exchange, 'factory', exchange.factory);
  await codeOf(client, exchange, 'router', exchange.router);
  const [factory, wrapped] = await queryAll(client, [
    addressRead(exchange.router, encodeFunctionData({ abi: v2RouterAbi, functionName: 'factory' })),
    addressRead(exchange.router, encodeFunctionData({ abi: v2RouterAbi, functionName: 'WETH' })),
  ]);
  expectSame(exchange, 'router.factory()', factory, exchange.factory);
  expectSame(exchange, 'router.WETH()', wrapped, exchange.wrappedNative);
  return exchange;
}

async function verifyV3(client: ChainClient, exchange: UniswapV3Exchange): Promise<VerifiedV3Exchange> {
  await codeOf(client, exchange, 'factory', exchange.factory);
  const routerCode = await codeOf(client, exchange, 'router', exchange.router);
  const quoterCode = await codeOf(client, exchange, 'quoter', exchange.quoter);
  const factoryData = encodeFunctionData({ abi: v3PeripheryAbi, functionName: 'factory' });
  const wrappedData = encodeFunctionData({ abi: v3PeripheryAbi, functionName: 'WETH9' });
  const [routerFactory, routerWrapped, quoterFactory, quoterWrapped, feeTiers] = await queryAll(client, [
    addressRead(exchange.router, factoryData),
    addressRead(exchange.router, wrappedData),
    addressRead(exchange.quoter, factoryData),
    addressRead(exchange.quoter, wrappedData),
    enabledFeeTiers(exchange.factory),
  ]);
  expectSame(exchange, 'router.factory()', routerFactory, exchange.factory);
  expectSame(exchange, 'router.WETH9()', routerWrapped, exchange.wrappedNative);
  expectSame(exchange, 'quoter.factory()', quoterFactory, exchange.factory);
  expectSame(exchange, 'quoter.WETH9()', quoterWrapped, exchange.wrappedNative);
  if (feeTiers.length === 0) throw new WrongExchangeError(exchange.id, 'its factory has none of the known fee tiers');
  return {
    ...exchange,
    routerHasDeadline: routerHasDeadline(exchange, routerCode),
    quoterVersion: quoterVersion(exchange, quoterCode),
    feeTiers,
  };
}

function enabledFeeTiers(factory: Address): Query<readonly number[]> {
  return {
    calls: KNOWN_FEE_TIERS.map((fee) => ({
      to: factory,
      data: encodeFunctionData({ abi: v3FactoryAbi, functionName: 'feeAmountTickSpacing', args: [fee] }),
    })),
    decode: (returned) =>
      KNOWN_FEE_TIERS.filter((_, index) => {
        const spacing = decodeOrUndefined(v3FactoryAbi, 'feeAmountTickSpacing', returned[index]);
        return spacing !== undefined && spacing > 0;
      }),
  };
}

function routerHasDeadline(exchange: UniswapV3Exchange, code: Hex): boolean {
  const found = contains(code, SWAP_WITH_DEADLINE) ? true : contains(code, SWAP_WITHOUT_DEADLINE) ? false : undefined;
  if (found === undefined) throw new WrongExchangeError(exchange.id, 'its router has no exactInputSingle');
  const { routerHasDeadline: said = found } = exchange;
  if (said === found) return found;
  const has = found ? 'has a deadline' : 'has no deadline';
  throw new WrongExchangeError(
    exchange.id,
    `its router ${has} in exactInputSingle, unlike the entry's routerHasDeadline`,
  );
}

function quoterVersion(exchange: UniswapV3Exchange, code: Hex): 1 | 2 {
  const found = contains(code, QUOTE_V2) ? 2 : contains(code, QUOTE_V1) ? 1 : undefined;
  if (found === undefined) throw new WrongExchangeError(exchange.id, 'its quoter has no quoteExactInputSingle');
  const { quoterVersion: said = found } = exchange;
  if (said === found) return found;
  throw new WrongExchangeError(exchange.id, `its quoter is of version ${found}, the entry says ${said}`);
}

/** Whether a contract's dispatcher compares with this selector, which the compiler writes as PUSH4. */
function contains(code: Hex, selector: Hex): boolean {
  return code.toLowerCase().includes(`63${selector.slice(2)}`);
}

async function codeOf(client: ChainClient, exchange: Exchange, role: string, address: Address): Promise<Hex> {
  const code = await client.getCode({ address }).catch((error: unknown) => {
    throw new ChainUnavailableError(`read the code of ${exchange.id}'s ${role}`, error);
  });
  if (!code) throw new WrongExchangeError(exchange.id, `there is no contract at its ${role} ${address}`);
  return code;
}

function addressRead(to: Address, data: Hex): Query<Address | undefined> {
  return { calls: [{ to, data }], decode: ([returned]) => decodeOrUndefined(v3PeripheryAbi, 'factory', returned) };
}

function expectSame(exchange: Exchange, what: string, actual: Address | undefined, expected: Address): void {
  if (actual === undefined) throw new WrongExchangeError(exchange.id, `${what} gives no address`);
  if (isAddressEqual(actual, expected)) return;
  throw new WrongExchangeError(exchange.id, `${what} is ${actual}, the registry says ${expected}`);
}
