import { type Hex, numberToHex } from 'viem';
import { type Execution, type ExecutionCall, resultOf } from '../execution/execution.ts';
import { BLOCK_GAS, type BlockKind, isBigBlockDue, nextTimestamp } from '../rules/block-schedule.ts';
import type { CoreLedger, Credit } from '../rules/core-ledger.ts';
import { inclusionOrder } from '../rules/inclusion-order.ts';
import { INTERNAL_ERROR, RpcError } from '../rules/json-rpc.ts';
import type { Mempool } from '../rules/mempool.ts';
import { otherTransactions } from '../rules/other-traffic.ts';
import type { Switches } from '../rules/switches.ts';
import { SYSTEM_ADDRESS } from '../rules/system-transactions.ts';
import type { WireBlock } from '../rules/wire.ts';
import { creditEstimate, creditSendings, equipOthers, equipSystem, type Included, sending } from './block-content.ts';
import { recordOf } from './block-record.ts';
import type { ChainState } from './chain-state.ts';
import type { Gate } from './gate.ts';

const LEAST_GAS = 21_000n;
/** Gas for a credit that anvil cannot estimate, because the recipient rejects it. */
const REFUSED_CREDIT_GAS = numberToHex(100_000);

/** State, queues and settings that block production uses. */
export interface BlockSources {
  execution: Execution;
  state: ChainState;
  /** Every request to anvil passes through it. */
  gate: Gate;
  mempool: Mempool;
  core: CoreLedger;
  switches: () => Switches;
  /** Returns the machine's time, milliseconds. */
  now: () => number;
}

/** Seconds of the chain. */
export interface BlockTimes {
  /** Minimum between small blocks. */
  secondsPerBlock: number;
  /** Between big blocks; 0 disables them. */
  secondsPerBigBlock: number;
}

/** Produces blocks one after the other. Every other change of the chain queues here too. */
export class BlockProducer {
  private readonly sources: BlockSources;
  private readonly times: BlockTimes;
  private turn: Promise<unknown> = Promise.resolve();
  /** Total seconds that commands have advanced the chain's clock, from the next block on. */
  secondsAhead = 0;
  private nextTimestamp: number | undefined;

  constructor(sources: BlockSources, times: BlockTimes) {
    this.sources = sources;
    this.times = times;
  }

  /** Runs `work` while no block is produced and no request is answered. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(() => this.sources.gate.close(work));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /** Sets the next block's timestamp, seconds. @throws RpcError when it is before the head's */
  setNextTimestamp(seconds: number): void {
    const { timestamp } = this.sources.state.head;
    if (seconds < timestamp)
      throw new RpcError(INTERNAL_ERROR, `timestamp ${seconds} is before the head's ${timestamp}`);
    this.nextTimestamp = seconds;
  }

  /** Produces the due blocks: a small one, and a big one when its interval has begun. */
  round(): Promise<void> {
    return this.exclusively(() => this.roundNow());
  }

  /** `round` for a caller inside `exclusively`. */
  async roundNow(): Promise<void> {
    const { state, now } = this.sources;
    const parent = state.head.timestamp;
    const clock = Math.floor(now() / 1000) + this.secondsAhead;
    const timestamp = this.nextTimestamp ?? nextTimestamp(parent, this.times.secondsPerBlock, clock);
    this.nextTimestamp = undefined;
    await this.make('small', timestamp);
    if (isBigBlockDue(parent, timestamp, this.times.secondsPerBigBlock)) await this.make('big', timestamp);
  }

  /** Produces a big block now, due or not, with the head's timestamp. */
  bigBlock(): Promise<void> {
    return this.exclusively(() => this.make('big', this.sources.state.head.timestamp));
  }

  private async make(kind: BlockKind, timestamp: number): Promise<void> {
    const { execution, state, mempool, core, now } = this.sources;
    mempool.prune(timestamp);
    const baseFeeWei = state.nextBaseFeeWei(kind);
    const credits = await this.withGas(core.takeCredits());
    const chosen = await this.choose(kind, baseFeeWei);
    const creditGas = credits.reduce((sum, { gas }) => sum + BigInt(gas), 0n);
    await this.execute([
      { method: 'evm_setNextBlockTimestamp', params: [numberToHex(timestamp)] },
      { method: 'anvil_setNextBlockBaseFeePerGas', params: [numberToHex(baseFeeWei)] },
      { method: 'evm_setBlockGasLimit', params: [numberToHex(BLOCK_GAS[kind] + creditGas)] },
      ...(credits.length > 0 ? equipSystem() : []),
      ...(chosen.some(isOther) ? equipOthers() : []),
    ]);
    await this.execute(creditSendings(credits, baseFeeWei));
    // anvil rejects some, such as one whose sender has no balance left: they stay in the mempool.
    const sent = await execution.askAll(chosen.map(sending));
    await execution.ask('evm_mine');
    // Calls between blocks may use as much gas as the largest block has.
    await execution.ask('evm_setBlockGasLimit', numberToHex(BLOCK_GAS.big));
    const block = await execution.ask<WireBlock>('eth_getBlockByNumber', 'latest', true);
    await this.takeBack(
      chosen.map((transaction, index) => hashOf(transaction, sent[index]?.result)),
      block,
    );
    this.settle(block);
    state.add(await recordOf(execution, block, { seenAtMs: now(), kind }));
  }

  /** Executes several calls of anvil and throws the first error. anvil may run one batch in any order. */
  private async execute(calls: readonly ExecutionCall[]): Promise<void> {
    for (const answer of await this.sources.execution.askAll(calls)) resultOf(answer);
  }

  private async withGas(credits: readonly Credit[]): Promise<(Credit & { gas: Hex })[]> {
    const estimates = await this.sources.execution.askAll(credits.map(creditEstimate));
    return credits.map((credit, index) => ({
      ...credit,
      gas: (estimates[index]?.result as Hex | undefined) ?? REFUSED_CREDIT_GAS,
    }));
  }

  /** Transactions for the block, in order. More than fit: those without room stay in the mempool. */
  private async choose(kind: BlockKind, baseFeeWei: bigint): Promise<Included[]> {
    const { execution, mempool, switches } = this.sources;
    const { otherTraffic, inclusionOrder: order } = switches();
    const gasLimit = BLOCK_GAS[kind];
    const others = otherTransactions(otherTraffic[kind], { baseFeeWei, gasLimit });
    const senders = mempool.senders();
    const nonces = await execution.askAll(
      senders.map((sender) => ({ method: 'eth_getTransactionCount', params: [sender, 'latest'] })),
    );
    const rows: Included[][] = senders.map((sender, index) =>
      mempool.inRow(sender, Number(nonces[index]?.result ?? 0), kind),
    );
    const most = Number(gasLimit / LEAST_GAS);
    return inclusionOrder([...rows, ...others.map((other) => [other])], { baseFeeWei, order, most });
  }

  /** Removes transactions that were not included from anvil, so that anvil keeps no mempool. */
  private async takeBack(sent: readonly (Hex | undefined)[], block: WireBlock): Promise<void> {
    const included = new Set(block.transactions.map(({ hash }) => hash));
    const left = sent.filter((hash) => hash !== undefined && !included.has(hash));
    await this.sources.execution.askAll(left.map((hash) => ({ method: 'anvil_dropTransaction', params: [hash] })));
  }

  private settle(block: WireBlock): void {
    const { mempool, core } = this.sources;
    for (const { from, to, nonce, value } of block.transactions) {
      mempool.settle(from, Number(nonce) + 1);
      if (to === SYSTEM_ADDRESS) core.receiveFromEvm(from, BigInt(value));
    }
  }
}

function isOther(transaction: Included): boolean {
  return !('raw' in transaction);
}

function hashOf(transaction: Included, answered: unknown): Hex | undefined {
  return 'raw' in transaction ? transaction.hash : (answered as Hex | undefined);
}
