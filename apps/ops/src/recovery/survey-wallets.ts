import { type ChainClient, erc20Abi, isContract, latestBlock, rpcRequestOf } from '@maker/chain';
import { walletPath } from '@maker/signing/derivation';
import { type Address, isAddressEqual } from 'viem';
import { decideReturn, sendersOf, unexplainedWei } from './decide-return.ts';
import { findUsedWallets, type UsedWallet } from './find-used-wallets.ts';
import type { PlannedWallet, RecoveryPlan } from './recovery-plan.ts';
import { traceWallets, type WalletTrace } from './trace-wallets.ts';

const READS_AT_ONCE = 8;

/** Range and options of a survey. */
export interface SurveyQuery {
  readonly accountXpub: string;
  /** Recipient of the fee: transfers to it count as fee. */
  readonly treasury?: Address | undefined;
  /** First block to read; without it the survey cannot find the payers. */
  readonly fromBlock?: number | undefined;
  /** Most indexes assigned without a trace on the chain, after the last one with a trace. */
  readonly margin: number;
  readonly below?: number | undefined;
  readonly series?: Iterable<number> | undefined;
}

/**
 * Finds every used wallet and the transfers of its money, from the xpub and the chain alone. Reads only.
 * @param onBlocks called with the number of blocks read so far
 */
export async function surveyWallets(
  client: ChainClient,
  { accountXpub, treasury, fromBlock, margin, below, series }: SurveyQuery,
  onBlocks?: (done: number) => void,
): Promise<RecoveryPlan> {
  // Twice the margin: an earlier recovery may have raised the counter by one margin.
  const used = await findUsedWallets(rpcRequestOf(client), accountXpub, { gap: 2 * margin, below, series });
  const atBlock = (await latestBlock(client)).number;
  const addresses = used.map(({ address }) => address);
  const traces =
    fromBlock === undefined
      ? undefined
      : await traceWallets(client, addresses, { fromBlock, toBlock: atBlock }, onBlocks);
  const contracts = await contractsAmong(client, [...(traces?.values() ?? [])].flatMap(sendersOf));
  const isOurs = (address: Address) => addresses.some((wallet) => isAddressEqual(wallet, address));
  const wallets = await eachOf(used, async (wallet) => {
    const trace = traces?.get(wallet.address);
    const state = await readState(client, wallet, trace);
    const decision = decideReturn(
      { balanceWei: BigInt(state.balanceWei), trace },
      (address) => contracts.has(address),
      isOurs,
    );
    return { ...state, ...decision, ...(trace && { history: historyOf(trace, BigInt(state.balanceWei), treasury) }) };
  });
  return {
    version: 1,
    chainId: client.chain.id,
    madeAt: new Date().toISOString(),
    atBlock,
    ...(fromBlock !== undefined && { fromBlock }),
    firstFreeIndex: below ?? (used.findLast(({ index }) => walletPath(index).change === 0)?.index ?? -1) + 1 + margin,
    wallets,
  };
}

async function readState(client: ChainClient, { index, address }: UsedWallet, trace: WalletTrace | undefined) {
  const tokens = await eachOf([...(trace?.tokens ?? [])], async (token) => ({
    token,
    amount: String(
      await client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    ),
  }));
  return {
    index,
    address,
    nonce: await client.getTransactionCount({ address }),
    balanceWei: String(await client.getBalance({ address })),
    tokens: tokens.filter(({ amount }) => amount !== '0'),
  };
}

function historyOf(
  trace: WalletTrace,
  balanceWei: bigint,
  treasury: Address | undefined,
): NonNullable<PlannedWallet['history']> {
  const sum = (amounts: Iterable<bigint>) => String([...amounts].reduce((total, amount) => total + amount, 0n));
  const isFee = ([to]: readonly [Address, bigint]) => treasury !== undefined && isAddressEqual(to, treasury);
  const sent = [...trace.sent];
  return {
    payers: trace.incoming.map(({ amountWei, ...transfer }) => ({ ...transfer, amountWei: String(amountWei) })),
    receivedWei: sum(trace.incoming.map(({ amountWei }) => amountWei)),
    feeWei: sum(sent.filter(isFee).map(([, amountWei]) => amountWei)),
    sentWei: sum(sent.filter((entry) => !isFee(entry)).map(([, amountWei]) => amountWei)),
    gasWei: String(trace.gasWei),
    unexplainedWei: String(unexplainedWei({ balanceWei, trace })),
  };
}

async function contractsAmong(client: ChainClient, addresses: readonly Address[]): Promise<ReadonlySet<Address>> {
  const distinct = [...new Set(addresses)];
  const found = await eachOf(distinct, async (address) => ((await isContract(client, address)) ? [address] : []));
  return new Set(found.flat());
}

/** Maps items in order, with {@link READS_AT_ONCE} in flight. */
async function eachOf<Item, Result>(items: readonly Item[], map: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += READS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(first, first + READS_AT_ONCE).map(map))));
  }
  return results;
}
