import { type BlockHead, type ChainClient, Hosts } from '@maker/chain';
import type { FinalTransaction, TransactionRecord } from '@maker/execution-records';
import { TRUST } from '@maker/execution-records/testing';
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem';
import { ROUTER, type SimulatedChain, TOKEN, TREASURY, WALLET } from './simulated-chain.fixture.ts';
import type { SimulatedDatabase } from './simulated-database.fixture.ts';

const CONFIRMATIONS = 1;

/** Calldata of a buy up to its amount. */
const BUY_OF = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'transferFrom',
  args: [WALLET, TOKEN, 0n],
}).slice(0, -64) as Hex;

/** Returns the sources of ticks: a chain that may fail, and the rules of a job. @param now our clock, ms */
export function simulatedSources(chain: SimulatedChain, database: SimulatedDatabase, now: () => number) {
  const { circumstances } = chain;
  const answers = <Arguments extends unknown[], Result>(read: (...arguments_: Arguments) => Result) => {
    return async (...arguments_: Arguments): Promise<Result> => {
      if (circumstances.failures > 0) {
        circumstances.failures -= 1;
        throw new Error('the endpoint does not answer');
      }
      return read(...arguments_);
    };
  };
  const client = {
    chain: {},
    transport: {},
    call: answers(() => ({ data: undefined })),
    getCode: answers(() => undefined),
    estimateGas: answers(({ to, data }: { to: Address; data?: `0x${string}` }) => chain.estimate(to, data)),
  };
  const samples = answers((_token: Address, amounts: readonly bigint[]) => ({
    ...chain.samples(amounts),
    isConfirmed: true,
  }));
  return {
    database,
    agreedMarket: { samples },
    feed: {
      now,
      get head(): BlockHead {
        return chain.head;
      },
    },
    chain: {
      network: { chainId: 1 },
      client,
      market: {
        samples,
        states: answers(() => []),
      },
      hosts: new Hosts(client as unknown as ChainClient, true),
      reading: answers((_wallet: Address, notBefore: number) => {
        const blockNumber = circumstances.lags ? chain.height - 1 : chain.height;
        return blockNumber < notBefore ? undefined : { balanceWei: chain.balance(), blockNumber };
      }),
      usedNonces: answers(() => chain.usedNonces),
      blockHash: answers((height: number) => chain.hashAt(height)),
      tokens: answers(() => chain.tokens()),
    },
    receipts: {
      find: answers((some: readonly TransactionRecord[], { head }: { head: BlockHead }) =>
        chain.inclusionsOf(some, head.number),
      ),
      settled: answers((finals: readonly FinalTransaction[]) => {
        const { standing = [], lost = [] } = Object.groupBy(finals, ({ inclusion }) =>
          chain.hashAt(inclusion.blockNumber) === inclusion.blockHash ? 'standing' : 'lost',
        );
        const ids = (some: readonly FinalTransaction[]) => some.map(({ transaction }) => transaction.id);
        return { standing: ids(standing), lost: ids(lost) };
      }),
    },
    depositsKnown: { isComplete: answers(() => true) },
    minimumLiquidityWei: 1n,
    ledgerAddsUp: async () => true,
    rules: {
      trust: TRUST,
      treasury: TREASURY,
      confirmations: CONFIRMATIONS,
      mostInFlight: 8,
      mostConsecutiveFailures: 20,
      liquidityTimeoutMs: 300_000,
      reconcileMs: 60_000,
      buyTransaction: ({ amountInWei }: { amountInWei: bigint }) => ({
        to: ROUTER,
        value: amountInWei,
        // Encoded once, because it is the slowest part of a history.
        data: `${BUY_OF}${numberToHex(amountInWei, { size: 32 }).slice(2)}`,
      }),
    },
  };
}
