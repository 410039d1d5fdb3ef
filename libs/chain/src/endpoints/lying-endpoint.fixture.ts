import {
  type Address,
  encodeAbiParameters,
  type Hash,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type ArrivedCall, FaultyNode, type NodeAnswer } from './faulty-node.fixture.ts';

const MILLION = 1_000_000n;
const RESERVE_BITS = 112n;
const RESERVE = (1n << RESERVE_BITS) - 1n;
/** Storage slot of a pair's reserves, 112 bits each. */
const RESERVES_SLOT = numberToHex(8, { size: 32 });
/** Storage slot of a demo token's balances. */
const BALANCES_SLOT = 3n;

/** False answers about one wallet and its job's token. */
export interface Lies {
  /** Sender of payments to the wallet. */
  readonly sender?: Address;
  /** Amount of payments to the wallet, in millionths of the true one. */
  readonly amount?: bigint;
  /** HYPE of the wallet, wei. */
  readonly balanceWei?: bigint;
  /** Units of a token in the wallet. */
  readonly tokens?: { readonly token: Address; readonly units: bigint };
  /** Additional used nonces of the wallet. */
  readonly nonces?: number;
  /** Receipts of the wallet's transactions: reverted, missing, or with twice the gas. */
  readonly receipts?: 'reverted' | 'hidden' | 'dear';
  /** Reverts every estimate of the wallet's transactions. */
  readonly refuses?: true;
  /** Leaves payments to the wallet out of blocks. */
  readonly omits?: true;
  /** Accepts signed bytes of the wallet without broadcasting them. */
  readonly censors?: true;
  /** Reserves of a pair, in millionths of the true ones. */
  readonly pair?: { readonly address: Address; readonly millionths: readonly [bigint, bigint] };
}

type Overrides = Record<string, { balance?: Hex; stateDiff?: Record<string, Hex> }>;
type Part = Record<string, unknown> & { readonly from?: string; readonly to?: string; readonly status?: string };

/** A signed transfer that was never mined. */
interface Forged {
  readonly transaction: object;
  readonly receipt: { readonly transactionHash: Hash; readonly to: string };
  /** The block that falsely contains it. */
  inBlock: { readonly blockHash: Hash; readonly blockNumber: Hex } | undefined;
}

/** An endpoint of a real chain that lies about some wallets. */
export class LyingEndpoint extends FaultyNode {
  /** Lies by wallet, in lower case. */
  private readonly lies = new Map<string, Lies>();
  private forged: readonly Forged[] = [];
  /** Added to the time of every block, s. */
  secondsAhead = 0;
  /** Blocks below this height have their true time. */
  aheadFromBlock = 0;
  override fault = (call: ArrivedCall): Promise<NodeAnswer> => this.lied(call);

  /** Lies about a wallet from now on; without `lies` it answers correctly again. */
  lieAbout(wallet: Address, lies?: Lies): void {
    if (lies) this.lies.set(wallet.toLowerCase(), lies);
    else this.lies.delete(wallet.toLowerCase());
  }

  /** Shows a signed transfer that is never mined, in the next full block that a caller reads. */
  async forge(privateKey: Hex, chainId: number, to: Address, value: bigint): Promise<void> {
    const account = privateKeyToAccount(privateKey);
    const fields = { type: 'legacy', chainId, to, value, nonce: 0, gas: 21_000n, gasPrice: 2_000_000_000n } as const;
    const serialized = await account.signTransaction(fields);
    const { r, s, v = 0n } = parseTransaction(serialized);
    const hash = keccak256(serialized);
    const parties = { from: account.address.toLowerCase(), to: to.toLowerCase() };
    const numbers = { value, nonce: 0, gas: 21_000, gasPrice: 2_000_000_000, chainId, v };
    const wire = Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, numberToHex(number)]));
    const transaction = { ...wire, ...parties, hash, input: '0x', type: '0x0', r, s };
    const paid = { gasUsed: wire.gas, effectiveGasPrice: wire.gasPrice };
    const receipt = { ...parties, ...paid, transactionHash: hash, status: '0x1', logs: [], type: '0x0' };
    this.forged = [...this.forged, { transaction, receipt, inBlock: undefined }];
  }

  /** Stops showing forged transfers to a wallet. */
  forgetForged(wallet: Address): void {
    this.forged = this.forged.filter(({ receipt }) => receipt.to !== wallet.toLowerCase());
  }

  private about(address: unknown): Lies | undefined {
    return typeof address === 'string' ? this.lies.get(address.toLowerCase()) : undefined;
  }

  private async lied(call: ArrivedCall): Promise<NodeAnswer> {
    const { method, params } = call;
    if (method === 'eth_sendRawTransaction') {
      const [raw] = params as readonly [Hex];
      const sender = await recoverTransactionAddress({ serializedTransaction: raw as never });
      return this.about(sender)?.censors ? { result: keccak256(raw) } : this.ask(call);
    }
    if (method === 'eth_estimateGas' && this.about((params[0] as Part).from)?.refuses)
      return { error: { code: 3, message: 'execution reverted', data: '0x' } };
    if (method === 'eth_getBalance') {
      const wei = this.about(params[0])?.balanceWei;
      return wei === undefined ? this.ask(call) : { result: numberToHex(wei) };
    }
    if (method === 'eth_getTransactionCount') {
      const { result } = await this.ask(call);
      return { result: numberToHex(BigInt(result as Hex) + BigInt(this.about(params[0])?.nonces ?? 0)) };
    }
    if (method === 'eth_call') return this.ask({ ...call, params: await this.overridden(params) });
    const { result, error } = await this.ask(call);
    if (error) return { error };
    return { result: this.changed(await this.withoutHidden(this.withForged(method, params, result))) };
  }

  /** Adds state overrides to a call, so that wallets and pairs have false balances. */
  private async overridden(params: readonly unknown[]): Promise<readonly unknown[]> {
    const overrides: Overrides = {};
    for (const [wallet, { balanceWei, tokens, pair }] of this.lies) {
      if (balanceWei !== undefined) overrides[wallet] = { balance: numberToHex(balanceWei) };
      if (tokens) {
        const key = [{ type: 'address' }, { type: 'uint256' }] as const;
        const slot = keccak256(encodeAbiParameters(key, [wallet as Address, BALANCES_SLOT]));
        const before = overrides[tokens.token]?.stateDiff;
        overrides[tokens.token] = { stateDiff: { ...before, [slot]: numberToHex(tokens.units, { size: 32 }) } };
      }
      if (pair) overrides[pair.address] = { stateDiff: { [RESERVES_SLOT]: await this.reserves(pair) } };
    }
    if (Object.keys(overrides).length === 0) return params;
    const [transaction, block = 'latest', own] = params;
    return [transaction, block, { ...(own as Overrides), ...overrides }];
  }

  private async reserves({ address, millionths: [first, second] }: NonNullable<Lies['pair']>): Promise<Hex> {
    const { result } = await this.ask({ method: 'eth_getStorageAt', params: [address, RESERVES_SLOT, 'latest'] });
    const stored = hexToBigInt(result as Hex);
    const one = ((stored & RESERVE) * first) / MILLION;
    const other = (((stored >> RESERVE_BITS) & RESERVE) * second) / MILLION;
    const time = (stored >> (2n * RESERVE_BITS)) << (2n * RESERVE_BITS);
    return numberToHex(time | (other << RESERVE_BITS) | one, { size: 32 });
  }

  /** Removes the transactions of wallets with hidden receipts from a block's list of hashes. */
  private async withoutHidden(result: unknown): Promise<unknown> {
    const block = result as { transactions?: readonly unknown[]; number?: Hex } | null;
    const hides = [...this.lies.values()].some(({ receipts }) => receipts === 'hidden');
    if (!hides || !Array.isArray(block?.transactions) || typeof block.transactions[0] !== 'string') return result;
    const full = await this.ask({ method: 'eth_getBlockByNumber', params: [block.number, true] });
    const { transactions } = full.result as { transactions: readonly { readonly hash: Hash; readonly from: string }[] };
    const shown = transactions.filter(({ from }) => this.about(from)?.receipts !== 'hidden');
    return { ...block, transactions: shown.map(({ hash }) => hash) };
  }

  private withForged(method: string, params: readonly unknown[], result: unknown): unknown {
    if (this.forged.length === 0) return result;
    if (method === 'eth_getBlockByNumber' && params[1] === true && result) {
      const block = result as { readonly hash: Hash; readonly number: Hex; readonly transactions: readonly unknown[] };
      for (const one of this.forged) one.inBlock ??= { blockHash: block.hash, blockNumber: block.number };
      const here = this.forged.filter(({ inBlock }) => inBlock?.blockHash === block.hash);
      return { ...block, transactions: [...block.transactions, ...here.map(({ transaction }) => transaction)] };
    }
    const shown = this.forged.flatMap(({ receipt, inBlock }) => (inBlock ? [{ ...receipt, ...inBlock }] : []));
    if (method === 'eth_getTransactionReceipt')
      return shown.find(({ transactionHash }) => transactionHash === params[0]) ?? result;
    if (method !== 'eth_getBlockReceipts' || !Array.isArray(result)) return result;
    return [...result, ...shown.filter(({ blockNumber }) => blockNumber === params[0])];
  }

  private changed(result: unknown): unknown {
    if (this.lies.size === 0 && this.secondsAhead === 0) return result;
    if (Array.isArray(result)) return result.map((part) => this.changed(part)).filter((part) => part !== null);
    if (typeof result !== 'object' || result === null) return result;
    const part = result as Part;
    const isBlock = 'timestamp' in part && 'parentHash' in part;
    if (isBlock) {
      const ahead = Number(part.number) >= this.aheadFromBlock ? this.secondsAhead : 0;
      const timestamp = numberToHex(Number(part.timestamp) + ahead);
      return {
        ...part,
        timestamp,
        transactions: (part.transactions as readonly unknown[])
          .filter((one) => !this.about((one as Part | null)?.to)?.omits)
          .map((one) => this.changed(one)),
      };
    }
    return this.receiptOf(this.paymentOf(part));
  }

  private paymentOf(part: Part): Part {
    const lies = this.about(part.to);
    if (!lies || !part.from) return part;
    const { sender, amount } = lies;
    return {
      ...part,
      ...(sender && { from: sender.toLowerCase() }),
      ...(amount !== undefined &&
        'value' in part && { value: numberToHex((BigInt(part.value as Hex) * amount) / MILLION) }),
    };
  }

  private receiptOf(part: Part): Part | null {
    const kind = 'status' in part ? this.about(part.from)?.receipts : undefined;
    if (kind === 'hidden') return null;
    if (kind === 'reverted') return { ...part, status: '0x0', logs: [] };
    if (kind === 'dear') return { ...part, gasUsed: numberToHex(BigInt(part.gasUsed as Hex) * 2n) };
    return part;
  }
}
