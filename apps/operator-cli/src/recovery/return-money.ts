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
/** Wallets that the running product can have given away since. */
const WALLETS_AHEAD = 1000;

export interface ReturnOptions {
  readonly client: ChainClient;
  readonly keyring: SeedKeyring;
  readonly journal: RecoveryJournal;
  /** `JOB_FIRST_WALLET_INDEX` of the running product: wallets from there on are its own. */
  readonly below: number;
  /** The first series of the running product: wallets of series from there on are its own. */
  readonly seriesBelow: number;
  /** How long one transaction is waited for, ms. */
  readonly patienceMs: number;
}

/** A transaction was not mined in time; nothing is lost, since a second run goes on with the same bytes. */
export class StillPendingError extends RecoveryError {
  constructor(hash: string, last: string) {
    super(`transaction ${hash} is in no block yet${last && ` (the node said: ${last})`}: run the same command again`);
  }
}

/**
 * Sends what a plan says, wallet by wallet: its tokens first, then its HYPE less gas, each at most once under this plan.
 * All of the plan is checked before the first byte is signed.
 * @returns what happened, line by line of the journal
 * @throws RecoveryError for a plan of another seed or chain, or one that reaches into the running product
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
  // Money must not move on to another of our wallets, and those just given away are ours as well.
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
 * Settles what the journal says was signed. New bytes are signed where there are none, or at the same nonce for a higher
 * price, so that of all bytes that this plan ever makes for an asset one can be mined.
 */
async function returnAsset(
  { wallet, returnTo, asset }: Omit<AssetReturn, 'gasSpentWei'>,
  signer: Signer,
  options: ReturnOptions,
): Promise<JournalEntry> {
  const { client, journal } = options;
  const earlier = outcomeOf(journal.entries, wallet.address, asset);
  if (earlier) return earlier;
  const deadline = Date.now() + options.patienceMs;
  for (let refusal = ''; ; await delay(CHECK_EVERY_MS)) {
    // The nonce first: what is mined between the two reads has a receipt then.
    const nonce = await client.getTransactionCount({ address: wallet.address });
    const signed = signedEntries(journal.entries, wallet.address, asset);
    const receipt = await firstReceipt(client, signed);
    if (receipt && (await isFinal(client, receipt))) return recordMined(journal, wallet.address, asset, receipt);
    const newest = signed.at(-1);
    if (newest && Date.now() > deadline) throw giveUp(newest, nonce, refusal);
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
    `nonce ${signedNonce}, which ${hash} was signed for, was taken by another transaction: survey again, and carry out the new plan`,
  );
}

/** Price to sign at now; undefined where the pending bytes still do. */
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

/** @returns why the node did not take the newest bytes, for people; empty where it did */
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
    // Whatever it says, what is mined decides: the loop asks for receipts and nonce before it does anything else.
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

/** With one block on top of it, as the product counts. */
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
 * Price of a replacement at the same nonce, wei per gas: what the base fee asks for now, and 12.5 % more at the least,
 * which nodes demand.
 * @returns undefined where the cap leaves no room
 */
function replacementPrice(priceWei: bigint, baseFeeWei: bigint): bigint | undefined {
  const wanted = larger(exactPrice(baseFeeWei), raisedFee(priceWei));
  return wanted <= FEE_CAP_WEI ? wanted : undefined;
}
