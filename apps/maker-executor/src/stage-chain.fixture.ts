import { erc20Abi } from '@maker/chain';
import type { ExchangeChainPart } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, createTestClient, type Hash, type Hex, http, numberToHex, publicActions } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { expect, vi } from 'vitest';
import { RUN_MS, SOON } from './stage-times.fixture.ts';

/** Actions of a test on the chain of its stage. */
export class StageChain {
  readonly client: ReturnType<typeof clientOf>;
  /** Last request of each sender, settled once the node has accepted or refused it. */
  private readonly sending = new Map<Address, Promise<unknown>>();

  constructor(readonly chain: ExchangeChainPart) {
    this.client = clientOf(chain);
  }

  /** Mines blocks until an assertion holds. @param timeout ms */
  async mineUntil(holds: () => Promise<void> | void, timeout = RUN_MS): Promise<void> {
    await vi.waitFor(
      async () => {
        await this.client.mine({ blocks: 1 });
        await holds();
      },
      { timeout, interval: 100 },
    );
  }

  /** Waits until the chain has `count` more blocks. */
  async blocksPass(count: number, within = SOON): Promise<void> {
    const last = (await this.client.getBlockNumber()) + BigInt(count);
    await vi.waitFor(async () => expect(await this.client.getBlockNumber()).toBeGreaterThanOrEqual(last), within);
  }

  /** Sends a transaction from any address. @returns its hash, once it is in a block */
  async sendAs(
    from: Address,
    { to, value = 0n, data = '0x' }: { to: Address; value?: bigint; data?: Hex },
  ): Promise<Hash> {
    await this.client.impersonateAccount({ address: from });
    // A fixed limit: an estimate in the same second as the last swap lacks the gas of a pair's write once a second.
    const gas = numberToHex(300_000);
    const send = () =>
      this.client.request({
        method: 'eth_sendTransaction',
        params: [{ from, to, value: numberToHex(value), data, gas }],
      } as never) as Promise<Hash>;
    // One request at a time for each sender: the node would choose the same nonce for two concurrent ones.
    const sent = (this.sending.get(from) ?? Promise.resolve()).then(send);
    // A refusal fails its own caller only.
    this.sending.set(
      from,
      sent.catch(() => undefined),
    );
    const hash = await sent;
    await this.client.waitForTransactionReceipt({ hash });
    return hash;
  }

  /** Pays from an account of the local chain, in a new block unless the chain mines by its clock. */
  async send(to: Address, value: bigint): Promise<void> {
    await this.sendAs(this.chain.accounts[0]?.address ?? '0x', { to, value });
  }

  /** Returns an account with its own key, whose transfers the maker proves by their signature. */
  async newSender(valueWei = parseHype('1')): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey());
    await this.client.setBalance({ address: account.address, value: valueWei });
    return account;
  }

  /** Pays by a transaction that the sender signs. @returns its hash and gas, once it is in a block */
  async payAs(sender: PrivateKeyAccount, to: Address, value: bigint): Promise<{ hash: Hash; gasWei: bigint }> {
    const nonce = await this.client.getTransactionCount({ address: sender.address });
    const fees = { gas: 21_000n, gasPrice: 100_000_000_000n };
    const serializedTransaction = await sender.signTransaction({ chainId: foundry.id, to, value, nonce, ...fees });
    const hash = await this.client.sendRawTransaction({ serializedTransaction });
    const { gasUsed, effectiveGasPrice } = await this.client.waitForTransactionReceipt({ hash });
    return { hash, gasWei: gasUsed * effectiveGasPrice };
  }

  balance(address: Address): Promise<bigint> {
    return this.client.getBalance({ address });
  }

  tokensOf({ token }: { readonly token: Address }, address: Address): Promise<bigint> {
    return this.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] });
  }
}

function clientOf({ rpcUrl }: ExchangeChainPart) {
  const transport = http(rpcUrl);
  return createTestClient({ chain: foundry, mode: 'anvil', transport, cacheTime: 0, pollingInterval: 50 }).extend(
    publicActions,
  );
}
