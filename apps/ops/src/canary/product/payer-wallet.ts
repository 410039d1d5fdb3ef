import { networkOf, viemChain } from '@maker/chain';
import { exactPrice, PLAIN_TRANSFER_GAS } from '@maker/rules';
import {
  type Address,
  createPublicClient,
  fallback,
  type Hash,
  type Hex,
  http,
  keccak256,
  type PublicClient,
  TransactionReceiptNotFoundError,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

/** A signed transfer. A retry sends the same bytes, so that it pays only once. */
export interface SignedPayment {
  readonly bytes: Hex;
  readonly hash: Hash;
}

/** Maximum cost of a transfer beyond its value, wei per gas and wei. */
export interface TransferPrice {
  readonly maxFeePerGas: bigint;
  readonly mostGasWei: bigint;
}

/** The canary's own wallet, which pays by plain transfers like a visitor. */
export class PayerWallet {
  private readonly account: PrivateKeyAccount;
  private readonly client: PublicClient;
  private readonly chainId: number;

  /** @param rpcUrls in order of preference */
  constructor(chainId: number, rpcUrls: readonly string[], privateKey: Hex) {
    const transport = fallback(
      rpcUrls.map((url) => http(url, { retryCount: 0 })),
      { retryCount: 0 },
    );
    this.chainId = chainId;
    this.client = createPublicClient({ chain: viemChain(networkOf(chainId)), transport, cacheTime: 0 });
    this.account = privateKeyToAccount(privateKey);
  }

  get address(): Address {
    return this.account.address;
  }

  /** Balance of this or another address, wei. */
  balance(address: Address = this.address): Promise<bigint> {
    return this.client.getBalance({ address });
  }

  async transferPrice(): Promise<TransferPrice> {
    const { baseFeePerGas } = await this.client.getBlock();
    const maxFeePerGas = exactPrice(baseFeePerGas ?? 0n);
    return { maxFeePerGas, mostGasWei: maxFeePerGas * PLAIN_TRANSFER_GAS };
  }

  /** Signs a transfer without sending it. */
  async sign(to: Address, value: bigint, { maxFeePerGas }: TransferPrice): Promise<SignedPayment> {
    const nonce = await this.client.getTransactionCount({ address: this.address });
    const bytes = await this.account.signTransaction({
      type: 'eip1559',
      chainId: this.chainId,
      nonce,
      to,
      value,
      // A job's wallet has no code.
      gas: PLAIN_TRANSFER_GAS,
      maxFeePerGas,
      maxPriorityFeePerGas: 0n,
    });
    return { bytes, hash: keccak256(bytes) };
  }

  /** Sends the payment unless it is in a block. @returns true if it is in a block */
  async send({ bytes, hash }: SignedPayment): Promise<true | undefined> {
    const receipt = await this.client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined;
      throw error;
    });
    if (receipt) return true;
    await this.client.sendRawTransaction({ serializedTransaction: bytes });
    return undefined;
  }
}
