import { type Address, encodeFunctionData, zeroAddress } from 'viem';
import { v2FactoryAbi } from '../abi/uniswap-v2.ts';
import { decodeOrUndefined } from '../decode.ts';
import type { CamelotV2Exchange, UniswapV2Exchange } from '../exchanges/exchanges.ts';
import type { Query } from '../query.ts';
import type { Pool } from './exchange-adapter.ts';

/** The token's pair with wrapped HYPE, of which a factory of pairs has one or none. */
export function pairOf(exchange: UniswapV2Exchange | CamelotV2Exchange, token: Address): Query<readonly Pool[]> {
  const { id, kind, factory, wrappedNative } = exchange;
  const data = encodeFunctionData({ abi: v2FactoryAbi, functionName: 'getPair', args: [token, wrappedNative] });
  return {
    calls: [{ to: factory, data }],
    decode: ([returned]) => {
      const address = decodeOrUndefined(v2FactoryAbi, 'getPair', returned);
      return address && address !== zeroAddress ? [{ exchangeId: id, kind, address, token }] : [];
    },
  };
}

/** Whether an address is token0 of its pool: pools sort their two tokens by address. */
export function isFirst(address: Address, other: Address): boolean {
  return BigInt(address) < BigInt(other);
}
