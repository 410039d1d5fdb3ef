import { type Address, encodeFunctionData, type Hex, hexToString, size, zeroAddress } from 'viem';
import { erc20Abi } from './abi/erc20.ts';
import { decodeOrUndefined } from './decode.ts';
import type { Query } from './query.ts';

/** A token's own description. */
export interface TokenMetadata {
  /** Empty where the token has none. Untrusted: show as text only. */
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
}

/** Most characters of a name or symbol; the rest is cut. */
const LONGEST_TEXT = 64;

/**
 * Reads a token's metadata. The value is undefined when the address is no ERC-20 token: `decimals`, `totalSupply` and `balanceOf`
 * must answer (an NFT has no decimals); `name` and `symbol` may be missing or bytes32, as in old tokens.
 */
export function tokenMetadata(token: Address): Query<TokenMetadata | undefined> {
  return {
    calls: [
      { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }) },
      { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' }) },
      { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [zeroAddress] }) },
      { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' }) },
      { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'name' }) },
    ],
    decode: ([decimalsData, supplyData, balanceData, symbolData, nameData]) => {
      const decimals = decodeOrUndefined(erc20Abi, 'decimals', decimalsData);
      const supply = decodeOrUndefined(erc20Abi, 'totalSupply', supplyData);
      const balance = decodeOrUndefined(erc20Abi, 'balanceOf', balanceData);
      if (decimals === undefined || supply === undefined || balance === undefined) return undefined;
      return { decimals, symbol: text(symbolData), name: text(nameData) };
    },
  };
}

/** A wallet's balance of a token. */
export interface TokenBalance extends Pick<TokenMetadata, 'symbol' | 'decimals'> {
  /** In the smallest unit. */
  readonly amount: bigint;
}

/** Reads a wallet's balance of a token. Undefined where the token does not answer; its symbol and decimals may be missing. */
export function tokenBalance(token: Address, wallet: Address): Query<TokenBalance | undefined> {
  return {
    calls: [
      { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] }) },
      { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }) },
      { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' }) },
    ],
    decode: ([balanceData, decimalsData, symbolData]) => {
      const amount = decodeOrUndefined(erc20Abi, 'balanceOf', balanceData);
      if (amount === undefined) return undefined;
      return { amount, decimals: decodeOrUndefined(erc20Abi, 'decimals', decimalsData) ?? 0, symbol: text(symbolData) };
    },
  };
}

function text(data: Hex | undefined): string {
  if (data === undefined || data === '0x') return '';
  const decoded = size(data) === 32 ? hexToString(data) : (decodeOrUndefined(erc20Abi, 'name', data) ?? '');
  return [...decoded.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '').trim()].slice(0, LONGEST_TEXT).join('');
}
