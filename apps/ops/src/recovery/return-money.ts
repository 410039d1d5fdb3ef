import { setTimeout as delay } from 'node:timers/promises';
import { type ChainClient, latestBlock, SmallBlockFee } from '@maker/chain';
import { exactPrice, FEE_CAP_WEI, larger, raisedFee } from '@maker/rules';
import { walletAddresses, walletPath } from '@maker/signing/derivation';
import type { SeedKeyring, Signer } from '@maker/signing/private';
import {
  type Address,
  BaseError,
  isAddressEqual,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import { RecoveryError } from './recovery-error.ts';
import type { Asset, JournalEntry, RecoveryJournal, SignedEntry } from './recovery-journal.ts';
import type { PlannedWallet, RecoveryPlan } from './recovery-plan.ts';
import { type AssetReturn, returnTransaction } from './return-transaction.ts';

const CHECK_EVERY_MS = 500;
/** Most wallets that the running product can have assigned since. */
const WALLETS_AHEAD = 1000;

export interface ReturnOptions {
  readonly client: ChainClient;
  readonly keyring: SeedKeyring;
  readonly journal: RecoveryJournal;
  /** `JOB_FIRST_WALLET_INDEX` of the running product: wallets from this index on belong to it. */
  readonly below: number;
  /** The first series of the running product: wallets of this series and later ones belong to it. */
  readonly seriesBelow: number;
  /** How long to wait for one transaction, ms. */
  readonly patienceMs: number;
}

/** A transaction was not mined in time; nothing is lost, because the next run continues with the same bytes. */
export class StillPendingError extends RecoveryError {
  constructor(hash: string, last: string) {
    super(`transaction ${hash} is in no block yet${last && ` (the node said: ${last})`}: run the same command again`);
  }
}

/**
 * Executes a plan, wallet by wallet: first the tokens, then the HYPE less gas, each at most once under this plan.
 * It checks the whole plan before it signs anything.
 * @returns the entries of the journal
 * @throws RecoveryError for a plan of another seed or chain, or one with wallets of the running product
 */
export async function* returnMoney(plan: RecoveryPlan, options: ReturnOptions): AsyncGenerator<JournalEntry> {
  const signers = checkedSigners(plan, options);
  for (const wallet of plan.wallets) {
    const { returnTo } = wallet;
    const signer = signers.get(wallet);
    const isEmpty = wallet.balanceWei === '0' && wallet.tokens.length === 0;
    if (!signer || returnTo === null || isEmpty) continue;
    for (const asset of [...wallet.tokens.map(({ token }) => token), 'HYPE'] as const) {
      yield await returnAsset({ wallet, returnTo, asset }, signer, options);
    }
  }
}

function checkedSigners(
  { chainId, wallets }: RecoveryPlan,
  { client, keyring, below, seriesBelow }: ReturnOptions,
): ReadonlyMap<PlannedWallet, Signer> {
  const refuse = (problem: string): never => {
    throw new RecoveryError(`${problem}; nothing was signed`);
  };
  if (chainId !== client.chain.id) refuse(`the plan is for chain ${chainId} and the RPC serves ${client.chain.id}`);
  if (new Set(wallets.map(({ index }) => index)).size < wallets.length) refuse('the plan names a wallet twice');
  const addressAt = walletAddresses(keyring.accountXpub);
  // Money must not move to another of our wallets, including those just assigned to visitors.
  const ours = new Set(Array.from({ length: below + WALLETS_AHEAD }, (_, index) => addressAt(index)));
  for (const { address } of wallets) ours.add(address);
  const signers = new Map(wallets.map((wallet) => [wallet, keyring.wallet(wallet.index)]));
  for (const [{ index, address, returnTo }, signer] of signers) {
    if (!isAddressEqual(signer.address, address)) refuse(`wallet ${index} of the plan is none of this seed`);
    if (returnTo === null) continue;
    const { change: series } = walletPath(index);
    if (series === 0 && index >= below) {
      refuse(`wallet ${index} belongs to the running product, whose first index is ${below}`);
    }
    if (series > 0 && series >= seriesBelow) {
      refuse(`wallet ${index} is of series ${series}; name the first of the running product with --series-below`);
    }
    if (ours.has(returnTo)) {
      refuse(`wallet ${index} would pay another wallet of this seed`);
    }
  }
  return signers;
}

/**
 * Returns one asset. It continues with signed bytes in the journal, and signs new ones only if there are none, or at the same nonce
 * for a higher price. So at most one transaction of this plan can be mined for an asset.
 */
async function returnAsset(
  { wallet, returnTo, asset }: Omit<AssetReturn, 'gasSpentWei'>,
  signer: Signer,
  options: ReturnOptions,
): Promise<JournalEntry> {
  const { client, journal } = options;
  const earlier = outcomeOf(journal.entries, wallet.address, asset);
  if (earlier) return earlier;
  const deadline = performance.now() + options.patienceMs;
  for (let refusal = ''; ; await delay(CHECK_EVERY_MS)) {
    // Read the nonce first: a transaction mined between the two reads then has a receipt.
    const nonce = await client.getTransactionCount({ address: wallet.address });
    const signed = signedEntries(journal.entries, wallet.address, asset);
    const receipt = await firstReceipt(client, signed);
    if (receipt && (await isFinal(client, receipt))) return recordMined(journal, wallet.address, asset, receipt);
    const newest = signed.at(-1);
    if (newest && performance.now() > deadline) throw giveUp(newest, nonce, refusal);
    if (receipt || (newest && newest.nonce < nonce)) continue;
    const price = await nextPrice(client, newest, refusal);
    if (price !== undefined) {
      const gasSpentWei = gasSpent(journal.entries, wallet.address);
      const made = await returnTransaction(client, { wallet, returnTo, asset, gasSpentWei }, nonce, price);
      if (!made) return record(journal, { kind: 'skipped', wallet: wallet.address, asset, because: 'nothing is left' });
      const { rawTransaction, hash } = await signer.signTransaction(made.transaction);
      const entry = {
        kind: 'signed',
        wallet: wallet.address,
        asset,
        to: returnTo,
        nonce,
        hash,
        rawTransaction,
      } as const;
      await journal.append({ ...entry, amount: String(made.amount), maxFeePerGasWei: String(price) });
    }
    refusal = await broadcast(client, journal, wallet.address, asset);
  }
}

function giveUp({ hash, nonce: signedNonce }: SignedEntry, nonce: number, refusal: string): RecoveryError {
  if (signedNonce >= nonce) return new StillPendingError(hash, refusal);
  return new RecoveryError(
    `nonce ${signedNonce}, which ${hash} was signed for, was used by another transaction: survey again, and execute the new plan`,
  );
}

/** Price for new bytes; undefined while the pending bytes are good enough. */
async function nextPrice(
  client: ChainClient,
  pending: SignedEntry | undefined,
  refusal: string,
): Promise<bigint | undefined> {
  const baseFeeWei = await new SmallBlockFee(client).after(await client.getBlock());
  if (!pending) return exactPrice(baseFeeWei);
  const priceWei = BigInt(pending.maxFeePerGasWei);
  const tooCheap = baseFeeWei > priceWei || /underpriced/i.test(refusal);
  return tooCheap ? replacementPrice(priceWei, baseFeeWei) : undefined;
}

/** Broadcasts the newest bytes. @returns why the node refused them, for people; empty if it accepted them */
async function broadcast(
  client: ChainClient,
  { entries }: RecoveryJournal,
  wallet: Address,
  asset: Asset,
): Promise<string> {
  const newest = signedEntries(entries, wallet, asset).at(-1);
  if (!newest) return '';
  try {
    await client.sendRawTransaction({ serializedTransaction: newest.rawTransaction });
    return '';
  } catch (error) {
    // Only the chain decides: the loop reads nonce and receipts before any other step.
    return error instanceof BaseError ? error.details || error.shortMessage : String(error);
  }
}

async function firstReceipt(
  client: ChainClient,
  signed: readonly SignedEntry[],
): Promise<TransactionReceipt | undefined> {
  for (const { hash } of signed) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined;
      throw error;
    });
    if (receipt) return receipt;
  }
  return undefined;
}

/** Whether a block follows the transaction's block: one confirmation, like the product. */
async function isFinal(client: ChainClient, { blockNumber }: TransactionReceipt): Promise<boolean> {
  return (await latestBlock(client)).number > Number(blockNumber);
}

function recordMined(
  journal: RecoveryJournal,
  wallet: Address,
  asset: Asset,
  { transactionHash, status, blockNumber, gasUsed, effectiveGasPrice }: TransactionReceipt,
): Promise<JournalEntry> {
  return record(journal, {
    kind: 'mined',
    wallet,
    asset,
    hash: transactionHash,
    status,
    blockNumber: Number(blockNumber),
    gasWei: String(gasUsed * effectiveGasPrice),
  });
}

async function record(journal: RecoveryJournal, entry: JournalEntry): Promise<JournalEntry> {
  await journal.append(entry);
  return entry;
}

function signedEntries(entries: readonly JournalEntry[], wallet: Address, asset: Asset): SignedEntry[] {
  return entries.filter(
    (entry): entry is SignedEntry => entry.kind === 'signed' && entry.wallet === wallet && entry.asset === asset,
  );
}

function outcomeOf(entries: readonly JournalEntry[], wallet: Address, asset: Asset): JournalEntry | undefined {
  return entries.find((entry) => entry.kind === 'mined' && entry.wallet === wallet && entry.asset === asset);
}

function gasSpent(entries: readonly JournalEntry[], wallet: Address): bigint {
  return entries.reduce(
    (sum, entry) => sum + (entry.kind === 'mined' && entry.wallet === wallet ? BigInt(entry.gasWei) : 0n),
    0n,
  );
}

/**
 * Price of a replacement at the same nonce, wei per gas: enough for the base fee, and at least 12.5 % more, which nodes
 * demand.
 * @returns undefined if the price would exceed the cap
 */
function replacementPrice(priceWei: bigint, baseFeeWei: bigint): bigint | undefined {
  const wanted = larger(exactPrice(baseFeeWei), raisedFee(priceWei));
  return wanted <= FEE_CAP_WEI ? wanted : undefined;
}
