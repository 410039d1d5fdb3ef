import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnNode, post, type RawAnswer, rpc, signedTransfer, startOwnNode, unused } from './own-node.fixture.ts';

const BLOCKS = 40;
const READERS = 8;

let node: OwnNode;
beforeAll(async () => {
  node = await startOwnNode({ secondsPerBigBlock: 0 });
});
afterAll(() => node.stop());

/** BLOCKNUMBER, returned as a word. */
const NUMBER = '0x4360005260206000f3';
const CALLS = [
  ['eth_blockNumber'],
  ['eth_getBalance', unused(3), 'latest'],
  ['eth_call', { data: NUMBER }, 'latest'],
] as const;

/** The head, an account's balance there, and the block number that a call sees, in one request. */
async function headBalanceAndNumber(): Promise<number[]> {
  const body = CALLS.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const answers = (await (await post(node.rpcUrl, body)).json()) as RawAnswer[];
  return answers.map(({ result }) => Number(result ?? Number.NaN));
}

describe('an answer', () => {
  it('shows one consistent state during block production', async () => {
    const first = Number(await rpc(node.rpcUrl, 'eth_blockNumber'));
    const seen: number[][] = [];
    let made = false;
    const asking = Array.from({ length: READERS }, async () => {
      while (!made) seen.push(await headBalanceAndNumber());
    });
    // A wei in each block.
    for (let nonce = 0; nonce < BLOCKS; nonce++) {
      await rpc(node.rpcUrl, 'eth_sendRawTransaction', await signedTransfer(node, 3, { nonce, to: unused(3) }));
      await node.control.mine();
    }
    made = true;
    await Promise.all(asking);
    expect(seen).not.toEqual([]);
    expect(
      seen.filter(([head, balance, number]) => head !== first + Number(balance) || head !== number),
      '[head, balance, number that a call saw]',
    ).toEqual([]);
  });
});
