import { numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnNode, post, rpc, signedTransfer, startOwnNode, unused, walletOf } from './own-node.fixture.ts';
import { SYSTEM_ADDRESS } from './rules/system-transactions.ts';
import type { WireBlock, WireReceipt, WireTransaction } from './rules/wire.ts';

const HYPE = 10n ** 18n;
let node: OwnNode;
beforeAll(async () => {
  node = await startOwnNode({ secondsPerBigBlock: 0 });
});
afterAll(() => node.stop());

const info = async (body: unknown) => post(`${node.rpcUrl}/info`, body);
const balanceOnCore = async (user: string) => (await info({ type: 'spotClearinghouseState', user })).json();
const latest = (whole: boolean) => rpc<WireBlock>(node.rpcUrl, 'eth_getBlockByNumber', 'latest', whole);

/** Moves HYPE of an address from HyperCore to HyperEVM, and sends another account's transfer, in one block. */
async function blockWithCredit(to: `0x${string}`, nonce: number): Promise<string> {
  await node.control.core.credit(to, HYPE);
  await node.control.core.send(to, SYSTEM_ADDRESS, HYPE);
  const hash = await rpc<string>(node.rpcUrl, 'eth_sendRawTransaction', await signedTransfer(node, 3, { nonce }));
  await node.control.mine();
  return hash;
}

describe('HYPE from HyperCore', () => {
  it('arrives by a hidden system transaction', async () => {
    const hash = await blockWithCredit(unused(10), 0);
    expect(await rpc(node.rpcUrl, 'eth_getBalance', unused(10), 'latest')).toBe(numberToHex(HYPE));
    const block = await latest(true);
    expect(block.transactions).toMatchObject([{ hash, transactionIndex: '0x0' }]);
    expect([block.gasLimit, block.gasUsed]).toEqual([numberToHex(3_000_000), numberToHex(21_000)]);
    expect((await latest(false)).transactions).toEqual([hash]);
    expect(await rpc(node.rpcUrl, 'eth_getBlockTransactionCountByNumber', 'latest')).toBe('0x1');
    const receipts = await rpc<WireReceipt[]>(node.rpcUrl, 'eth_getBlockReceipts', 'latest');
    expect(receipts).toMatchObject([
      { transactionHash: hash, transactionIndex: '0x0', cumulativeGasUsed: numberToHex(21_000) },
    ]);
    expect(await rpc(node.rpcUrl, 'eth_getTransactionReceipt', hash)).toMatchObject({ transactionIndex: '0x0' });
    expect(await rpc(node.rpcUrl, 'eth_getTransactionByBlockNumberAndIndex', 'latest', '0x0')).toMatchObject({ hash });
  });

  it('is listed by eth_getSystemTxsByBlockNumber and eth_getSystemTxsByBlockHash', async () => {
    const { hash } = await latest(false);
    const credit = { from: SYSTEM_ADDRESS, to: unused(10), value: numberToHex(HYPE), gasPrice: '0x0' };
    const byNumber = await rpc<WireTransaction[]>(node.rpcUrl, 'eth_getSystemTxsByBlockNumber', 'latest');
    expect(byNumber).toMatchObject([credit]);
    expect(await rpc(node.rpcUrl, 'eth_getSystemTxsByBlockHash', hash)).toEqual(byNumber);
    const [system] = byNumber;
    expect(await rpc(node.rpcUrl, 'eth_getTransactionByHash', system?.hash)).toBeNull();
    expect(await rpc(node.rpcUrl, 'eth_getTransactionReceipt', system?.hash)).toBeNull();
    await node.control.mine();
    expect(await rpc(node.rpcUrl, 'eth_getSystemTxsByBlockNumber', 'latest')).toEqual([]);
  });

  it('is first at gas price 0 by switch', async () => {
    await node.control.setSwitches({ includeSystemTransactions: true });
    const hash = await blockWithCredit(unused(11), 1);
    const block = await latest(true);
    expect(block.transactions).toMatchObject([
      { from: SYSTEM_ADDRESS, to: unused(11), value: numberToHex(HYPE), gasPrice: '0x0' },
      { hash, transactionIndex: '0x1' },
    ]);
    expect(block.gasUsed).toBe(numberToHex(21_000));
    const receipts = await rpc<WireReceipt[]>(node.rpcUrl, 'eth_getBlockReceipts', 'latest');
    expect(receipts.map(({ cumulativeGasUsed }) => Number(cumulativeGasUsed))).toEqual([0, 21_000]);
    await node.control.setSwitches({ includeSystemTransactions: false });
    expect((await latest(true)).transactions).toMatchObject([{ hash }]);
  });

  it('stays on HyperCore, visible in the info API', async () => {
    await node.control.core.credit(unused(12), 2n * HYPE);
    await node.control.core.send(unused(12), unused(13), HYPE / 2n);
    await node.control.mine();
    expect(await rpc(node.rpcUrl, 'eth_getBalance', unused(13), 'latest')).toBe('0x0');
    expect(await balanceOnCore(unused(13))).toMatchObject({ balances: [{ coin: 'HYPE', total: '0.5' }] });
    expect(await balanceOnCore(unused(12))).toMatchObject({ balances: [{ coin: 'HYPE', total: '1.5' }] });
    expect(await balanceOnCore(unused(14))).toEqual({ balances: [] });
  });

  it('above the balance cannot be sent', async () => {
    await expect(node.control.core.send(unused(14), unused(13), HYPE)).rejects.toThrow('Insufficient balance');
  });

  it('arrives on HyperCore when sent to 0x2222…2222 on HyperEVM', async () => {
    const transfer = { nonce: 2, to: SYSTEM_ADDRESS, value: 3n * HYPE };
    await rpc(node.rpcUrl, 'eth_sendRawTransaction', await signedTransfer(node, 3, transfer));
    await node.control.mine();
    expect(await node.control.core.balanceWei(walletOf(node, 3).account.address)).toBe(3n * HYPE);
  });
});

describe('the info API', () => {
  it('rejects unknown requests', async () => {
    for (const body of [{ type: 'spotClearinghouseState', user: 'nobody' }, { type: 'meta' }, '{', null]) {
      expect((await info(body)).status).toBe(422);
    }
  });
});
