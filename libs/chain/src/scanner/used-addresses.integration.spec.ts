import { ACCOUNT_INDEX, type ChainPart, chainTestClient, demoAccount, startChain } from '@maker/local-stack';
import { type Address, createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChainClient } from '../client.ts';
import { networkOf, viemChain } from '../networks.ts';
import { rpcRequestOf } from './rpc-request.ts';
import { findUsedAddresses } from './used-addresses.ts';

let chain: ChainPart;
let request: ReturnType<typeof rpcRequestOf>;

beforeAll(async () => {
  chain = await startChain({ exchanges: false, blockSeconds: 0 });
  request = rpcRequestOf(createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] }));
});
afterAll(() => chain?.stop());

const address = (index: number): Address => `0x${(index + 3_000_000).toString(16).padStart(40, 'a')}`;

it('recognises use by balance, code and nonce', async () => {
  const test = chainTestClient(chain.rpcUrl);
  const { address: spender, privateKey } = demoAccount(ACCOUNT_INDEX.spare);
  const wallet = createWalletClient({
    account: privateKeyToAccount(privateKey),
    chain: viemChain(networkOf(chain.chainId)),
    transport: http(chain.rpcUrl),
  });
  const hash = await wallet.sendTransaction({ to: address(2), value: 1n });
  await test.setCode({ address: address(4), bytecode: '0x00' });
  await test.mine({ blocks: 1 });
  await test.setBalance({ address: spender, value: 0n });
  expect(hash).toMatch(/^0x/);

  const asked = [address(1), address(2), address(3), address(4), spender, address(5)];
  expect(await findUsedAddresses(request, asked)).toEqual(new Set([address(2), address(4), spender]));
});

it('answers alike without recipient-less calls', async () => {
  const test = chainTestClient(chain.rpcUrl);
  await test.setBalance({ address: address(21), value: 1n });
  await test.setNonce({ address: address(22), nonce: 1 });
  const refusing: typeof request = async (call) => {
    if (call.method === 'eth_call') throw Object.assign(new Error('missing field `to`'), { code: -32_602 });
    return request(call);
  };
  const asked = Array.from({ length: 20 }, (_, index) => address(index + 20));
  expect(await findUsedAddresses(refusing, asked)).toEqual(new Set([address(21), address(22)]));
});

it('reads any number of addresses', async () => {
  const test = chainTestClient(chain.rpcUrl);
  const many = Array.from({ length: 1201 }, (_, index) => address(index + 10_000));
  const used = [0, 399, 400, 799, 1200].flatMap((index) => many[index] ?? []);
  await Promise.all(used.map((owner) => test.setBalance({ address: owner, value: 1n })));
  expect(await findUsedAddresses(request, many)).toEqual(new Set(used));
  expect(await findUsedAddresses(request, [])).toEqual(new Set());
});

it('answers alike where calls return other data', async () => {
  const wrong: typeof request = async (call) => (call.method === 'eth_call' ? '0x' : request(call));
  await chainTestClient(chain.rpcUrl).setBalance({ address: address(31), value: 1n });
  expect(await findUsedAddresses(wrong, [address(30), address(31)])).toEqual(new Set([address(31)]));
});
