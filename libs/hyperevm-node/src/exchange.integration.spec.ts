import { type Hex, parseEther, parseSignature } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnNode, post, startOwnNode, unused } from './own-node.fixture.ts';
import { SYSTEM_ADDRESS } from './rules/system-transactions.ts';

const HYPE = parseEther('1');
const TOKEN = 'HYPE:0x7317beb7cceed72ef0b346074cc8e7ab';

let node: OwnNode;
beforeAll(async () => {
  node = await startOwnNode();
}, 30_000);
afterAll(() => node?.stop());

/** An account with one HYPE on HyperCore. */
async function rich(): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  await node.control.core.credit(account.address, HYPE);
  return account;
}

async function signed(account: PrivateKeyAccount, changes: object = {}) {
  const action = {
    type: 'spotSend',
    signatureChainId: '0x3e6' as Hex,
    hyperliquidChain: 'Testnet',
    destination: unused(20),
    token: TOKEN,
    amount: '0.25',
    time: Date.now(),
    ...changes,
  };
  const texts = ['hyperliquidChain', 'destination', 'token', 'amount'].map((name) => ({ name, type: 'string' }));
  const types: Record<string, unknown> = {
    'HyperliquidTransaction:SpotSend': [...texts, { name: 'time', type: 'uint64' }],
  };
  const signature = await account.signTypedData({
    domain: {
      name: 'HyperliquidSignTransaction',
      version: '1',
      chainId: Number(action.signatureChainId),
      verifyingContract: `0x${'00'.repeat(20)}`,
    },
    types,
    primaryType: 'HyperliquidTransaction:SpotSend',
    message: { ...action, time: BigInt(action.time) },
  });
  const { r, s, v } = parseSignature(signature);
  return { action, nonce: action.time, signature: { r, s, v: Number(v) } };
}

async function exchange(body: unknown): Promise<{ http: number; status?: string; response?: unknown }> {
  const response = await post(`${node.rpcUrl}/exchange`, body);
  const text = await response.text();
  return { http: response.status, ...(response.ok ? JSON.parse(text) : {}) };
}

describe('a signed spotSend', () => {
  it('moves HYPE on HyperCore once, however often it is posted', async () => {
    const sender = await rich();
    const send = await signed(sender);
    expect(await exchange(send)).toMatchObject({ http: 200, status: 'ok' });
    expect(await exchange(send)).toMatchObject({ status: 'err', response: expect.stringMatching(/nonce/) });
    expect(await node.control.core.balanceWei(unused(20))).toBe(HYPE / 4n);
    expect(await node.control.core.balanceWei(sender.address)).toBe((HYPE * 3n) / 4n);
  });

  it('to the system address moves HYPE to HyperEVM', async () => {
    const sender = await rich();
    expect(await exchange(await signed(sender, { destination: SYSTEM_ADDRESS }))).toMatchObject({ status: 'ok' });
    await node.control.mine();
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [sender.address, 'latest'] };
    const { result } = (await (await post(node.rpcUrl, call)).json()) as { result: Hex };
    expect(BigInt(result)).toBe(HYPE / 4n);
  });

  it('rejects a message changed after its signature', async () => {
    const sender = await rich();
    const send = await signed(sender);
    const changed = { ...send, action: { ...send.action, destination: unused(21) } };
    expect(await exchange(changed)).toMatchObject({ status: 'err', response: expect.stringMatching(/Must deposit/) });
    expect(await node.control.core.balanceWei(unused(21))).toBe(0n);
  });

  it.each([
    ['of another HyperCore', { hyperliquidChain: 'Mainnet' }, /chain/],
    ['of another day', { time: Date.now() - 3 * 86_400_000 }, /nonce/],
    ['of more than there is', { amount: '1.5' }, /Insufficient/],
    ['of another token', { token: 'USDC:0xeb62eee3685fc4c43992febcd9e75443' }, /token/],
  ])('%s is refused', async (_, changes, words) => {
    const answer = await exchange(await signed(await rich(), changes));
    expect(answer).toMatchObject({ http: 200, status: 'err', response: expect.stringMatching(words) });
  });

  it('in an unknown form is rejected with 422', async () => {
    const { action, nonce } = await signed(await rich());
    for (const body of ['{', { action: { type: 'order' } }, { action, nonce }])
      expect((await exchange(body)).http).toBe(422);
  });
});
