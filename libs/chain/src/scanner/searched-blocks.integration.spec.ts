import { SYSTEM_ADDRESS } from '@maker/hyperevm-node';
import { type Address, type Hex, parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OwnNode, rpc, startOwnNode, unused } from '../../../hyperevm-node/src/own-node.fixture.ts';
import { scanBlocks } from './block-scanner.ts';
import type { RpcRequest } from './rpc-request.ts';
import { systemTransfers } from './searched-blocks.ts';
import { type EarlierTransfer, TransferSearch } from './transfer-search.ts';
import { WatchedAddresses } from './watched-addresses.ts';

const AMOUNT = parseEther('0.25');

let node: OwnNode;
let request: RpcRequest;
let wallets = 100;
let wallet: Address;

beforeAll(async () => {
  // A due big block would be an unwanted additional block.
  node = await startOwnNode({ secondsPerBigBlock: 0 });
  request = ({ method, params }) => rpc(node.rpcUrl, method, ...params);
}, 30_000);
afterAll(() => node?.stop());
beforeEach(() => {
  wallets += 1;
  wallet = unused(wallets);
});

const height = async () => Number(await rpc<Hex>(node.rpcUrl, 'eth_blockNumber'));

/** Sends HYPE from HyperCore to the wallet's address on HyperEVM in the next block. @returns that block's height */
async function credit(): Promise<number> {
  await node.control.core.credit(wallet, AMOUNT);
  await node.control.core.send(wallet, SYSTEM_ADDRESS, AMOUNT);
  await node.control.mine();
  return height();
}

/** Searches a range of blocks, both ends included. @param wanted amount to find for each address, wei */
async function findSystemTransfers(
  asked: RpcRequest,
  { wanted, fromBlock, toBlock }: { wanted: ReadonlyMap<Address, bigint>; fromBlock: number; toBlock: number },
): Promise<EarlierTransfer[]> {
  const search = new TransferSearch(systemTransfers(asked));
  for (const [address, amountWei] of wanted) search.want({ address, amountWei, fromBlock, toBlock });
  while (!search.isIdle) await search.step(toBlock - fromBlock + 1);
  return search
    .takeFinished()
    .flatMap(({ transfers }) => transfers)
    .filter(({ to, amountWei }) => amountWei <= (wanted.get(to) ?? 0n));
}

/** Result of a scan of one block. */
async function scanned(number: number) {
  const watched = new WatchedAddresses();
  watched.add(wallet);
  const end = new AbortController();
  const { hash, timestamp } = await rpc<{ hash: Hex; timestamp: Hex }>(
    node.rpcUrl,
    'eth_getBlockByNumber',
    `0x${(number - 1).toString(16)}`,
    false,
  );
  const after = [{ number: number - 1, hash, timestampMs: Number(timestamp) * 1000 }];
  for await (const event of scanBlocks({ request, watched, after, signal: end.signal })) return event;
  throw new Error('the scan ended');
}

describe('HYPE that HyperCore credits (hyperevm §§ 1.1, 1.2)', () => {
  it('is absent from blocks, present in eth_getSystemTxsByBlockNumber', async () => {
    const block = await credit();
    await node.control.mine(11);
    expect(await scanned(block)).toMatchObject({ transfers: [], mentions: [] });
    const wanted = new Map([[wallet, AMOUNT]]);
    const query = { wanted, fromBlock: Math.max(block - 3, 0), toBlock: await height() };
    expect(await findSystemTransfers(request, query)).toMatchObject([
      { from: null, to: wallet, amountWei: AMOUNT, block: { number: block } },
    ]);
    expect(await findSystemTransfers(request, { ...query, fromBlock: block + 1 })).toEqual([]);
    expect(await findSystemTransfers(request, { ...query, wanted: new Map([[wallet, AMOUNT - 1n]]) })).toEqual([]);
  });

  it('has no sender where blocks include it', async () => {
    await node.control.setSwitches({ includeSystemTransactions: true });
    const found = await scanned(await credit());
    await node.control.setSwitches({ includeSystemTransactions: false });
    expect(found).toMatchObject({ transfers: [{ from: null, to: wallet, amountWei: AMOUNT }] });
  });

  it('does not stop a scan without its receipt', async () => {
    await node.control.setSwitches({ includeSystemTransactions: true });
    const block = await credit();
    const plain = request;
    request = async (call) => (call.method === 'eth_getTransactionReceipt' ? null : plain(call));
    const found = await scanned(block);
    request = plain;
    await node.control.setSwitches({ includeSystemTransactions: false });
    expect(found).toMatchObject({ kind: 'block', transfers: [] });
  });

  it('is not searched at a node without the method', async () => {
    const block = await credit();
    const without: RpcRequest = () => rpc(node.rpcUrl, 'eth_doesNotExist').catch(unsupported);
    const query = { wanted: new Map([[wallet, AMOUNT]]), fromBlock: block, toBlock: block };
    expect(await findSystemTransfers(without, query)).toEqual([]);
  });
});

function unsupported(): never {
  throw Object.assign(new Error('the method does not exist'), { code: -32_601 });
}
