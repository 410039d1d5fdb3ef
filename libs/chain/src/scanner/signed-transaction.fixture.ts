import { type Address, type Hex, keccak256, numberToHex, parseTransaction, type TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { WireTransaction } from './wire-block.ts';

const payer = privateKeyToAccount(`0x${'17'.repeat(32)}`);
/** Signer of {@link signed}. */
export const from = payer.address.toLowerCase() as Address;

const TYPE_BYTES: Readonly<Record<string, Hex>> = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2' };

/** A signed transaction in the wire form. */
export async function signed(transaction: TransactionSerializable): Promise<WireTransaction> {
  const serialized = await payer.signTransaction(transaction);
  const { r, s, v, yParity, ...fields } = parseTransaction(serialized);
  const hex = (value: number | bigint | undefined) => numberToHex(value ?? 0);
  const wire = {
    hash: keccak256(serialized),
    from,
    to: fields.to?.toLowerCase(),
    value: hex(fields.value),
    input: fields.data ?? '0x',
    type: TYPE_BYTES[fields.type ?? 'legacy'],
    nonce: hex(fields.nonce),
    gas: hex(fields.gas),
    gasPrice: hex(fields.gasPrice ?? 1_000_000_000n),
    ...(fields.maxFeePerGas && { maxFeePerGas: hex(fields.maxFeePerGas) }),
    ...(fields.maxPriorityFeePerGas && { maxPriorityFeePerGas: hex(fields.maxPriorityFeePerGas) }),
    ...(fields.accessList && { accessList: fields.accessList }),
    ...(fields.chainId && { chainId: hex(fields.chainId) }),
    // Quantities have no leading zeros.
    r: numberToHex(BigInt(r ?? '0x0')),
    s: numberToHex(BigInt(s ?? '0x0')),
    v: hex(v ?? BigInt(yParity ?? 0)),
    ...(fields.type !== 'legacy' && { yParity: hex(yParity ?? 0) }),
  };
  return wire as unknown as WireTransaction;
}

/** A signed plain transfer in the wire form. */
export function signedPayment(to: Address, value: bigint): Promise<WireTransaction> {
  return signed({ type: 'legacy', to, value, nonce: 1, gas: 21_000n, gasPrice: 2_000_000_000n });
}
