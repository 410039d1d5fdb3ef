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

/** A signed transfer. The same bytes are sent again, so that it is paid once. */
export interface SignedPayment {
  readonly bytes: Hex;
  readonly hash: Hash;
}

/** What a transfer costs at most beside its value, wei per gas and wei. */
export interface TransferPrice {
  readonly maxFeePerGas: bigint;
  readonly mostGasWei: bigint;
}

/** The canary's own wallet, which pays by plain transfers as visitors do. */
export class PayerWallet {
  private readonly account: PrivateKeyAccount;
  private readonly client: PublicClient;
  private readonly chainId: number;

  /** @param rpcUrls in the order in which they are asked */
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

  /** Wei that the wallet holds, or another one. */
  balance(address: Address = this.address): Promise<bigint> {
    return this.client.getBalance({ address });
  }

  async transferPrice(): Promise<TransferPrice> {
    const { baseFeePerGas } = await this.client.getBlock();
    const maxFeePerGas = exactPrice(baseFeePerGas ?? 0n);
    return { maxFeePerGas, mostGasWei: maxFeePerGas * PLAIN_TRANSFER_GAS };
  }

  /** Signs and sends nothing. */
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

  /** Sends it where it is not in a block. @returns true once it is */
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
