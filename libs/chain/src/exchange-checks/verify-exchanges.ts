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
import { WrongExchangeError } from '../errors.ts';
import type { Exchange, UniswapV3Exchange, VerifiedExchange, VerifiedV3Exchange } from '../exchanges/exchanges.ts';
import { type Query, queryAll } from '../query.ts';
import { type CalledContract, type FoundFunctions, findCalledFunctions, missingFunctions } from './called-functions.ts';

/** Every fee tier that a Uniswap V3 fork on HyperEVM is said to have; each factory is asked which it really has. */
const KNOWN_FEE_TIERS = [100, 200, 250, 500, 1000, 2000, 2500, 3000, 10_000, 20_000];

/** What an exchange is: the entry with what only the chain knows, or what differs. */
export type ExchangeVerdict = VerifiedExchange | WrongExchangeError;

/**
 * Checks entries against the chain: code at every address, every function that is called there, and what router and quoter say
 * their factory and wrapped native coin are. Source: design § 7. Two requests for all of them together; where calls without a recipient
 * are refused, one for each contract and one.
 * @returns for each the entry with fee tiers, router and quoter versions, or what differs; in their order
 * @throws ChainUnavailableError when the endpoint does not answer
 */
export async function verifyExchanges(
  client: ChainClient,
  exchanges: readonly Exchange[],
): Promise<readonly ExchangeVerdict[]> {
  const contracts = exchanges.map(contractsOf);
  const found = await findCalledFunctions(client, contracts.flat());
  let next = 0;
  const byCode = exchanges.map((exchange, index) => {
    const roles = contracts[index] ?? [];
    const own = roles.map((contract) => ({ ...contract, functions: found[next++] }));
    return differenceOrElse(() => judgeCode(exchange, own));
  });
  const asked = byCode.filter((verdict): verdict is VerifiedExchange => !(verdict instanceof WrongExchangeError));
  const answers = asked.length > 0 ? await queryAll(client, asked.map(answersOf)) : [];
  return byCode.map((verdict) =>
    verdict instanceof WrongExchangeError ? verdict : (answers[asked.indexOf(verdict)] ?? verdict),
  );
}

interface RoleContract extends CalledContract {
  readonly role: 'factory' | 'router' | 'quoter';
}

function contractsOf(exchange: Exchange): readonly RoleContract[] {
  const { factory, router } = exchange;
  if (exchange.kind !== 'uniswap-v3') {
    return [
      { role: 'factory', address: factory, abis: [v2FactoryAbi] },
      { role: 'router', address: router, abis: [exchange.kind === 'camelot-v2' ? camelotRouterAbi : v2RouterAbi] },
    ];
  }
  return [
    { role: 'factory', address: factory, abis: [v3FactoryAbi] },
    { role: 'router', address: router, abis: [v3PeripheryAbi, v3RouterWithDeadlineAbi, v3Router02Abi] },
    { role: 'quoter', address: exchange.quoter, abis: [v3QuoterV1Abi, v3QuoterV2Abi] },
  ];
}

/** @throws WrongExchangeError */
function judgeCode(
  exchange: Exchange,
  contracts: readonly (RoleContract & { readonly functions: FoundFunctions })[],
): VerifiedExchange {
  const [factory, router, quoter] = contracts.map(({ role, address, functions }) => {
    if (!functions) throw new WrongExchangeError(exchange.id, `there is no contract at its ${role} ${address}`);
    return functions;
  });
  if (!factory || !router) throw new TypeError(`${exchange.id} has no contracts`);
  if (exchange.kind !== 'uniswap-v3') {
    demandFunctions(exchange, 'factory', factory, v2FactoryAbi);
    demandFunctions(exchange, 'router', router, exchange.kind === 'camelot-v2' ? camelotRouterAbi : v2RouterAbi);
    return exchange;
  }
  demandFunctions(exchange, 'factory', factory, v3FactoryAbi);
  const routerHasDeadline = versionOfRouter(exchange, router);
  const quoterVersion = versionOfQuoter(exchange, quoter ?? new Set());
  return { ...exchange, routerHasDeadline, quoterVersion, feeTiers: [] };
}

function differenceOrElse(judge: () => VerifiedExchange): ExchangeVerdict {
  try {
    return judge();
  } catch (error) {
    if (error instanceof WrongExchangeError) return error;
    throw error;
  }
}

/**
 * Asks exchanges that were verified before once more, all in one request: whether their contracts are still there and still say
 * the same. What code has which functions cannot have changed.
 * @returns what each is now, in their order @throws ChainUnavailableError
 */
export async function verifyAgain(
  client: ChainClient,
  exchanges: readonly VerifiedExchange[],
): Promise<readonly ExchangeVerdict[]> {
  return queryAll(client, exchanges.map(answersOf));
}

/** What its contracts answer, held to the entry. */
function answersOf(exchange: VerifiedExchange): Query<ExchangeVerdict> {
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

function versionOfRouter(exchange: UniswapV3Exchange, functions: ReadonlySet<Hex>): boolean {
  demandFunctions(exchange, 'router', functions, v3PeripheryAbi);
  const found = missingFunctions(functions, v3RouterWithDeadlineAbi).length === 0;
  // Its deadline is an argument of a function of its own, which a swap goes through.
  if (!found) demandFunctions(exchange, 'router', functions, v3Router02Abi);
  const { routerHasDeadline: said = found } = exchange;
  if (said === found) return found;
  const has = found ? 'has a deadline' : 'has no deadline';
  throw new WrongExchangeError(
    exchange.id,
    `its router ${has} in exactInputSingle, unlike the entry's routerHasDeadline`,
  );
}

function versionOfQuoter(exchange: UniswapV3Exchange, functions: ReadonlySet<Hex>): 1 | 2 {
  const isSecond = missingFunctions(functions, v3QuoterV2Abi).length === 0;
  if (!isSecond) demandFunctions(exchange, 'quoter', functions, v3QuoterV1Abi);
  const found = isSecond ? 2 : 1;
  const { quoterVersion: said = found } = exchange;
  if (said === found) return found;
  throw new WrongExchangeError(exchange.id, `its quoter is of version ${found}, the entry says ${said}`);
}

function demandFunctions(exchange: Exchange, role: string, functions: ReadonlySet<Hex>, abi: Abi): void {
  const [missing] = missingFunctions(functions, abi);
  if (missing) throw new WrongExchangeError(exchange.id, `its ${role} has no ${missing}`);
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
