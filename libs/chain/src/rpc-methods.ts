import { keccak256 } from 'viem';
import { wrongInBlock } from './answers/block-answer.ts';
import { wrongInFeeHistory } from './answers/fee-history-answer.ts';
import { wrongInReceipt, wrongInReceipts } from './answers/receipt-answer.ts';
import { wrongInTransaction, wrongInTransactions } from './answers/transaction-answer.ts';
import { type IsValid, isBlockNumber, isBytes, isQuantity, isSafeNumber } from './answers/wire-values.ts';

/**
 * Checks the result of a method against its schema and its request. It may only change the spelling of addresses.
 * @returns the wrong part; undefined if none is
 */
export type WrongIn = (result: unknown, params: readonly unknown[]) => string | undefined;

/** A JSON-RPC method that the product calls. */
export interface RpcMethod<Name extends string = string> {
  readonly method: Name;
  /** The effect if an endpoint lacks the method. */
  readonly without: string;
  /** False where the product has another way, or works without the method. */
  readonly needed: boolean;
  /** Longest answer, bytes. */
  readonly mostBytes: number;
  readonly wrongIn: WrongIn;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** A number, a hash or a list of fees, or an error with its reason. */
const SHORT = 64 * KIB;
/** What one call can return: the gas of a call pays for 4 MB of memory, which is 8 MB of JSON. */
const CALL = 16 * MIB;
/** A big block full of zero calldata is 15 MB of JSON, one full of logs twice as much; anyone can pay for one. */
const WHOLE_BLOCK = 48 * MIB;

const method = <const Name extends string>(name: Name, without: string, mostBytes: number, wrongIn: WrongIn) =>
  ({ method: name, without, needed: true, mostBytes, wrongIn }) satisfies RpcMethod<Name>;

const value = (isValid: IsValid, what: string) => (result: unknown) => (isValid(result) ? undefined : what);

const ifThere =
  (wrongIn: WrongIn): WrongIn =>
  (result, params) =>
    result === null ? undefined : wrongIn(result, params);

/** Every JSON-RPC method that the product calls: no other can be. A spec compares the list with the sources. */
export const RPC_METHODS = [
  method('eth_chainId', 'nothing starts', SHORT, value(isSafeNumber, 'chain id')),
  method('eth_blockNumber', 'the scan finds no head', SHORT, value(isBlockNumber, 'block number')),
  method('eth_getBlockByNumber', 'no payment is seen', WHOLE_BLOCK, (block, [number, full]) =>
    wrongInBlock(block, number, 'number', full),
  ),
  method('eth_getBlockByHash', 'the base fee is not known after a big block', WHOLE_BLOCK, (block, [hash, full]) =>
    wrongInBlock(block, hash, 'hash', full),
  ),
  method('eth_call', 'nothing is quoted, tried or polled', CALL, value(isBytes, 'bytes')),
  method('eth_getBalance', 'no rest is returned', SHORT, value(isQuantity, 'balance')),
  method('eth_getCode', 'a token and an address without a contract look the same', CALL, value(isBytes, 'bytes')),
  method('eth_getTransactionCount', 'nothing is signed', SHORT, value(isSafeNumber, 'number of transactions')),
  method('eth_estimateGas', 'nothing is delivered or returned', CALL, value(isSafeNumber, 'gas')),
  method(
    'eth_getTransactionByHash',
    'lost and pending transactions look the same',
    CALL,
    ifThere((transaction, [hash]) => wrongInTransaction(transaction, hash)),
  ),
  method(
    'eth_getTransactionReceipt',
    'no payment is credited',
    WHOLE_BLOCK,
    ifThere((receipt, [hash]) => wrongInReceipt(receipt, hash)),
  ),
  method(
    'eth_getBlockReceipts',
    'no order is seen as mined',
    WHOLE_BLOCK,
    ifThere((receipts, [number]) => wrongInReceipts(receipts, number)),
  ),
  method('eth_feeHistory', 'no order is placed while blocks are full', SHORT, wrongInFeeHistory),
  method('eth_sendRawTransaction', 'nothing is sent', SHORT, (hash, [bytes]) =>
    hash === keccak256(bytes as `0x${string}`) ? undefined : 'hash, which is not that of the sent bytes',
  ),
  {
    ...method(
      'eth_getSystemTxsByBlockNumber',
      'only the balance shows money from HyperCore',
      WHOLE_BLOCK,
      ifThere((list, [number]) => wrongInTransactions(list, { number })),
    ),
    needed: false,
  },
] as const satisfies readonly RpcMethod[];

/** Names of the methods that can be called. */
export type RpcMethodName = (typeof RPC_METHODS)[number]['method'];

const BY_NAME: ReadonlyMap<string, RpcMethod> = new Map(RPC_METHODS.map((each) => [each.method, each]));

/** @throws TypeError for a method that is not in the list: its answer could not be checked */
export function rpcMethod(name: string): RpcMethod {
  const found = BY_NAME.get(name);
  if (!found) throw new TypeError(`${name} is not in RPC_METHODS`);
  return found;
}
