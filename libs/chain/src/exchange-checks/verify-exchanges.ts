import { type Abi, type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem';
import { camelotRouterAbi } from '../abi/camelot-v2.ts';
import { v2FactoryAbi, v2RouterAbi } from '../abi/uniswap-v2.ts';
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
import type { Exchange, UniswapV3Exchange, VerifiedExchange, VerifiedV3Exchange } from '../exchanges/exchanges.ts';
import { type Query, query, queryAll } from '../query.ts';
import { missingFunctions } from './called-functions.ts';

/** Every fee tier that a Uniswap V3 fork on HyperEVM is said to have; each factory is asked which it really has. */
const KNOWN_FEE_TIERS = [100, 200, 250, 500, 1000, 2000, 2500, 3000, 10_000, 20_000];

/**
 * Checks an entry against the chain: code at every address, every function that is called there, and what router and quoter say
 * their factory and wrapped native coin are. Source: design § 7. Three or four requests.
 * @returns the entry with what only the chain knows: fee tiers, and router and quoter versions
 * @throws WrongExchangeError saying what differs
 * @throws ChainUnavailableError when the endpoint does not answer
 */
export async function verifyExchange(client: ChainClient, exchange: Exchange): Promise<VerifiedExchange> {
  const factoryCode = await codeOf(client, exchange, 'factory', exchange.factory);
  const routerCode = await codeOf(client, exchange, 'router', exchange.router);
  if (exchange.kind === 'uniswap-v3') {
    const quoterCode = await codeOf(client, exchange, 'quoter', exchange.quoter);
    demandFunctions(exchange, 'factory', factoryCode, v3FactoryAbi);
    const routerHasDeadline = versionOfRouter(exchange, routerCode);
    const quoterVersion = versionOfQuoter(exchange, quoterCode);
    return answered(await query(client, answersOf({ ...exchange, routerHasDeadline, quoterVersion, feeTiers: [] })));
  }
  demandFunctions(exchange, 'factory', factoryCode, v2FactoryAbi);
  demandFunctions(exchange, 'router', routerCode, exchange.kind === 'camelot-v2' ? camelotRouterAbi : v2RouterAbi);
  return answered(await query(client, answersOf(exchange)));
}

/**
 * Asks exchanges that were verified before once more, all in one request: whether their contracts are still there and still say
 * the same. What code has which functions cannot have changed.
 * @returns what each is now, in their order @throws ChainUnavailableError
 */
export async function verifyAgain(
  client: ChainClient,
  exchanges: readonly VerifiedExchange[],
): Promise<readonly (VerifiedExchange | WrongExchangeError)[]> {
  return queryAll(client, exchanges.map(answersOf));
}

function answered(answer: VerifiedExchange | WrongExchangeError): VerifiedExchange {
  if (answer instanceof WrongExchangeError) throw answer;
  return answer;
}

/** What its contracts answer, held to the entry. */
function answersOf(exchange: VerifiedExchange): Query<VerifiedExchange | WrongExchangeError> {
  return exchange.kind === 'uniswap-v3' ? v3Answers(exchange) : pairAnswers(exchange);
}

function pairAnswers(
  exchange: Exclude<VerifiedExchange, VerifiedV3Exchange>,
): Query<typeof exchange | WrongExchangeError> {
  const { factory, router, wrappedNative } = exchange;
  const own = encodeFunctionData({ abi: v2FactoryAbi, functionName: 'getPair', args: [wrappedNative, wrappedNative] });
  return {
    calls: [
      { to: router, data: encodeFunctionData({ abi: v2RouterAbi, functionName: 'factory' }) },
      { to: router, data: encodeFunctionData({ abi: v2RouterAbi, functionName: 'WETH' }) },
      { to: factory, data: own },
    ],
    decode: ([routerFactory, routerWrapped, pair]) =>
      firstDifference(exchange, [
        ['router.factory()', routerFactory, factory],
        ['router.WETH()', routerWrapped, wrappedNative],
      ]) ??
      (addressIn(pair) === undefined
        ? new WrongExchangeError(exchange.id, 'factory.getPair() gives no address')
        : exchange),
  };
}

function v3Answers(exchange: VerifiedV3Exchange): Query<VerifiedV3Exchange | WrongExchangeError> {
  const { factory, router, quoter, wrappedNative } = exchange;
  const factoryData = encodeFunctionData({ abi: v3PeripheryAbi, functionName: 'factory' });
  const wrappedData = encodeFunctionData({ abi: v3PeripheryAbi, functionName: 'WETH9' });
  return {
    calls: [
      { to: router, data: factoryData },
      { to: router, data: wrappedData },
      { to: quoter, data: factoryData },
      { to: quoter, data: wrappedData },
      ...KNOWN_FEE_TIERS.map((fee) => ({
        to: factory,
        data: encodeFunctionData({ abi: v3FactoryAbi, functionName: 'feeAmountTickSpacing', args: [fee] }),
      })),
    ],
    decode: ([routerFactory, routerWrapped, quoterFactory, quoterWrapped, ...spacings]) => {
      const feeTiers = KNOWN_FEE_TIERS.filter((_, index) => {
        const spacing = decodeOrUndefined(v3FactoryAbi, 'feeAmountTickSpacing', spacings[index]);
        return spacing !== undefined && spacing > 0;
      });
      const difference = firstDifference(exchange, [
        ['router.factory()', routerFactory, factory],
        ['router.WETH9()', routerWrapped, wrappedNative],
        ['quoter.factory()', quoterFactory, factory],
        ['quoter.WETH9()', quoterWrapped, wrappedNative],
      ]);
      if (difference) return difference;
      if (feeTiers.length > 0) return { ...exchange, feeTiers };
      return new WrongExchangeError(exchange.id, 'its factory has none of the known fee tiers');
    },
  };
}

function versionOfRouter(exchange: UniswapV3Exchange, code: Hex): boolean {
  demandFunctions(exchange, 'router', code, v3PeripheryAbi);
  const found = missingFunctions(code, v3RouterWithDeadlineAbi).length === 0;
  // Its deadline is an argument of a function of its own, which a swap goes through.
  if (!found) demandFunctions(exchange, 'router', code, v3Router02Abi);
  const { routerHasDeadline: said = found } = exchange;
  if (said === found) return found;
  const has = found ? 'has a deadline' : 'has no deadline';
  throw new WrongExchangeError(
    exchange.id,
    `its router ${has} in exactInputSingle, unlike the entry's routerHasDeadline`,
  );
}

function versionOfQuoter(exchange: UniswapV3Exchange, code: Hex): 1 | 2 {
  const isSecond = missingFunctions(code, v3QuoterV2Abi).length === 0;
  if (!isSecond) demandFunctions(exchange, 'quoter', code, v3QuoterV1Abi);
  const found = isSecond ? 2 : 1;
  const { quoterVersion: said = found } = exchange;
  if (said === found) return found;
  throw new WrongExchangeError(exchange.id, `its quoter is of version ${found}, the entry says ${said}`);
}

function demandFunctions(exchange: Exchange, role: string, code: Hex, abi: Abi): void {
  const [missing] = missingFunctions(code, abi);
  if (missing) throw new WrongExchangeError(exchange.id, `its ${role} has no ${missing}`);
}

async function codeOf(client: ChainClient, exchange: Exchange, role: string, address: Address): Promise<Hex> {
  const code = await client.getCode({ address }).catch((error: unknown) => {
    throw new ChainUnavailableError(`read the code of ${exchange.id}'s ${role}`, error);
  });
  if (!code) throw new WrongExchangeError(exchange.id, `there is no contract at its ${role} ${address}`);
  return code;
}

type Expectation = readonly [what: string, returned: Hex | undefined, expected: Address];

function firstDifference(exchange: Exchange, expectations: readonly Expectation[]): WrongExchangeError | undefined {
  for (const [what, returned, expected] of expectations) {
    const actual = addressIn(returned);
    if (actual === undefined) return new WrongExchangeError(exchange.id, `${what} gives no address`);
    if (!isAddressEqual(actual, expected)) {
      return new WrongExchangeError(exchange.id, `${what} is ${actual}, the registry says ${expected}`);
    }
  }
  return undefined;
}

function addressIn(returned: Hex | undefined): Address | undefined {
  return decodeOrUndefined(v3PeripheryAbi, 'factory', returned);
}
