import {
  type Abi,
  type Address,
  type Hex,
  isAddressEqual,
  parseAbi,
  toFunctionSelector,
  toFunctionSignature,
  zeroAddress,
} from 'viem';
import { z } from 'zod';
import { decodeOrUndefined } from '../decode.ts';
import { configuredAddress } from '../environment.ts';
import { WrongExchangeError } from '../errors.ts';
import type { Call, Query } from '../query.ts';

/** The fields of entries of all shapes. */
export const exchangeFields = {
  /** Stable name: visitors see it in upper case, and orders keep it. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower case letters, digits and dashes'),
  factory: configuredAddress,
  router: configuredAddress,
  wrappedNative: configuredAddress,
};

/** Schema of a contract's address, for shapes with further contracts. */
export const exchangeContract = configuredAddress;

/** An entry of the registry, of any shape. */
export interface ExchangeEntry {
  readonly id: string;
  /** Its shape. */
  readonly kind: string;
  readonly factory: Address;
  readonly router: Address;
  readonly wrappedNative: Address;
}

/** A contract of an exchange, and the functions that the product may call there. */
export interface RoleContract {
  /** Role in words, for operators. */
  readonly role: string;
  readonly address: Address;
  /** The check searches only for their functions. */
  readonly abis: readonly Abi[];
}

/** Checks of one shape's entries against the chain. Source: design § 7. */
export interface ExchangeChecks<Entry extends ExchangeEntry, Verified extends Entry = Entry> {
  contractsOf(entry: Entry): readonly RoleContract[];
  /**
   * Judges an entry by its contracts' code.
   * @param functions selectors that the code has, in the order of `contractsOf` @throws WrongExchangeError
   */
  judgeCode(entry: Entry, functions: readonly ReadonlySet<Hex>[]): Verified;
  /** Compares its contracts' answers with the entry. */
  answersOf(exchange: Verified): Query<Verified | WrongExchangeError>;
}

/** Functions of an interface that a contract lacks. @returns signatures, such as `WETH()` */
export function missingFunctions(found: ReadonlySet<Hex>, abi: Abi): readonly string[] {
  return abi.flatMap((item) =>
    item.type !== 'function' || found.has(toFunctionSelector(item)) ? [] : toFunctionSignature(item),
  );
}

/** @throws WrongExchangeError with the first missing function, the contract's address and the shape */
export function demandFunctions(
  { id, kind }: ExchangeEntry,
  { role, address }: Pick<RoleContract, 'role' | 'address'>,
  functions: ReadonlySet<Hex> | undefined,
  abi: Abi,
): void {
  const [missing] = missingFunctions(functions ?? new Set(), abi);
  if (missing) throw new WrongExchangeError(id, `its ${role} has no ${missing}: no ${kind} at ${address}`);
}

/** Creates the checks of a shape with one version of each contract: every function must exist. */
export function checksOfOneVersion<Entry extends ExchangeEntry>(
  contractsOf: ExchangeChecks<Entry>['contractsOf'],
  answersOf: ExchangeChecks<Entry>['answersOf'],
): ExchangeChecks<Entry> {
  return {
    contractsOf,
    judgeCode(entry, functions) {
      for (const [index, contract] of contractsOf(entry).entries()) {
        demandFunctions(entry, contract, functions[index], contract.abis.flat());
      }
      return entry;
    },
    answersOf,
  };
}

/** A contract's answer, the address that the entry expects, and words for it. */
export type Expectation = readonly [what: string, returned: Hex | undefined, expected: Address];

/** The first answer that differs from the entry; undefined where none does. */
export function firstDifference(
  { id }: ExchangeEntry,
  expectations: readonly Expectation[],
): WrongExchangeError | undefined {
  for (const [what, returned, expected] of expectations) {
    const actual = addressIn(returned);
    if (actual === undefined) return new WrongExchangeError(id, `${what} gives no address`);
    if (!isAddressEqual(actual, expected)) {
      return new WrongExchangeError(id, `${what} is ${actual}, the registry says ${expected}`);
    }
  }
  return undefined;
}

/**
 * Compares the factory and wrapped native coin that contracts name with the entry.
 * @param contracts by their role @param wrappedGetter name of the function that returns the coin
 * @returns the first answer that differs from the entry
 */
export function statedAddresses(
  exchange: ExchangeEntry,
  contracts: Readonly<Record<string, Address>>,
  wrappedGetter: string,
): Query<WrongExchangeError | undefined> {
  const reads = Object.entries(contracts).flatMap(([role, to]) => [
    { role, to, getter: 'factory()', expected: exchange.factory },
    { role, to, getter: `${wrappedGetter}()`, expected: exchange.wrappedNative },
  ]);
  return {
    calls: reads.map(({ to, getter }) => ({ to, data: toFunctionSelector(getter) })),
    decode: (returned) =>
      firstDifference(
        exchange,
        reads.map(({ role, getter, expected }, index) => [`${role}.${getter}`, returned[index], expected]),
      ),
  };
}

/**
 * Checks the answers of an exchange with one pool for two tokens: the stated addresses, and a factory that answers for pools.
 * @param poolOf asks the factory for the pool of two tokens @param getter name of the function that it asks
 */
export function answersWithPool<Entry extends ExchangeEntry>(
  exchange: Entry,
  stated: Query<WrongExchangeError | undefined>,
  poolOf: (exchange: Entry, token: Address, other: Address) => Call,
  getter: string,
): Query<Entry | WrongExchangeError> {
  const { wrappedNative } = exchange;
  return {
    calls: [...stated.calls, poolOf(exchange, wrappedNative, wrappedNative)],
    decode: (returned) => {
      const difference = stated.decode(returned);
      if (difference) return difference;
      if (addressIn(returned[stated.calls.length]) !== undefined) return exchange;
      return new WrongExchangeError(exchange.id, `factory.${getter}() gives no address`);
    },
  };
}

const returnsAddress = parseAbi(['function read() view returns (address)']);

/** The address that a read returned; undefined where it returned none. */
export function addressIn(returned: Hex | undefined): Address | undefined {
  return decodeOrUndefined(returnsAddress, 'read', returned);
}

/** The pool in a factory's answer; undefined where it has none (the zero address) or gave no answer. */
export function poolIn(returned: Hex | undefined): Address | undefined {
  const pool = addressIn(returned);
  return pool === zeroAddress ? undefined : pool;
}

/** Whether an address is token0 of its pool: pools sort their two tokens by address. */
export function isFirst(address: Address, other: Address): boolean {
  return BigInt(address) < BigInt(other);
}
