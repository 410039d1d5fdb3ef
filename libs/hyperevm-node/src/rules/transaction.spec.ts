import { parseGwei, type TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { effectiveTip, readSignedTransaction, refuseLargerThanBlock } from './transaction.ts';

const ACCOUNT = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const TRANSFER = {
  chainId: 999,
  nonce: 3,
  to: ACCOUNT.address,
  value: 5n,
  gas: 21_000n,
  maxFeePerGas: parseGwei('1'),
  maxPriorityFeePerGas: 7n,
} as const;
const read = async (transaction: TransactionSerializable) =>
  readSignedTransaction(await ACCOUNT.signTransaction(transaction), 999);

describe('a signed transaction', () => {
  it('has its sender and both fees', async () => {
    expect(await read(TRANSFER)).toMatchObject({
      sender: ACCOUNT.address.toLowerCase(),
      nonce: 3,
      gas: 21_000n,
      valueWei: 5n,
      maxFeePerGasWei: 1_000_000_000n,
      maxTipWei: 7n,
    });
  });

  it('of the legacy type tips the whole remainder', async () => {
    const legacy = await read({ chainId: 999, nonce: 0, to: ACCOUNT.address, gas: 21_000n, gasPrice: 300n });
    expect(effectiveTip(legacy, 100n)).toBe(200n);
    expect(effectiveTip({ maxFeePerGasWei: 300n, maxTipWei: 50n }, 100n)).toBe(50n);
    expect(effectiveTip({ maxFeePerGasWei: 300n, maxTipWei: 50n }, 400n)).toBe(-100n);
  });

  it('rejects foreign chain, low gas and blobs', async () => {
    await expect(read({ ...TRANSFER, chainId: 998 })).rejects.toThrow('invalid chain id: expected 999, got 998');
    await expect(read({ ...TRANSFER, gas: 20_999n })).rejects.toThrow('intrinsic gas too low');
    await expect(read({ ...TRANSFER, data: '0x0011' })).rejects.toThrow('have 21000, want 21020');
    const authorizationList = [await ACCOUNT.signAuthorization({ chainId: 999, address: ACCOUNT.address, nonce: 4 })];
    await expect(read({ ...TRANSFER, authorizationList })).rejects.toThrow('transaction type not supported');
  });

  it('with invalid bytes is rejected', async () => {
    await expect(readSignedTransaction('0x02deadbeef', 999)).rejects.toThrow('cannot be read');
    await expect(readSignedTransaction(undefined, 999)).rejects.toThrow('in hex');
  });

  it('larger than its kind of block is rejected', async () => {
    const large = await read({ ...TRANSFER, gas: 3_000_001n });
    expect(() => refuseLargerThanBlock(large, 'small', 3_000_000n)).toThrow('exceeds block gas limit');
    expect(() => refuseLargerThanBlock(large, 'big', 30_000_000n)).not.toThrow();
  });
});
