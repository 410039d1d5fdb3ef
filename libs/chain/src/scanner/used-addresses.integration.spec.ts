import { ACCOUNT_INDEX, type ChainPart, chainTestClient, demoAccount, startChain } from '@maker/local-stack';
import { type Address, createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChainClient } from '../client.ts';
import { networkOf, viemChain } from '../networks.ts';
import { rpcRequestOf } from './rpc-request.ts';
import { findUsedAddresses, UsedAddressesReadError } from './used-addresses.ts';

let chain: ChainPart;
let request: ReturnType<typeof rpcRequestOf>;

beforeAll(async () => {
  chain = await startChain({ exchanges: false, blockSeconds: 0 });
  request = rpcRequestOf(createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] }));
});
afterAll(() => chain?.stop());

const address = (index: number): Address => `0x${(index + 3_000_000).toString(16).padStart(40, 'a')}`;

it('knows an address by its balance, by its code, and by its nonce alone, and takes no other for used', async () => {
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

it('reads any number of addresses', async () => {
  const test = chainTestClient(chain.rpcUrl);
  const many = Array.from({ length: 1201 }, (_, index) => address(index + 10_000));
  const used = [0, 399, 400, 799, 1200].flatMap((index) => many[index] ?? []);
  await Promise.all(used.map((owner) => test.setBalance({ address: owner, value: 1n })));
  expect(await findUsedAddresses(request, many)).toEqual(new Set(used));
  expect(await findUsedAddresses(request, [])).toEqual(new Set());
});

it('takes no answer of another kind for the news that nothing is used', async () => {
  await expect(findUsedAddresses(async () => '0x', [address(1)])).rejects.toThrow(UsedAddressesReadError);
});
