import type { BlockHead } from '@maker/chain';
import {
  agreedPurchaseGas,
  agreedTransferGas,
  deepPools,
  mayGoOtherwise,
  meaningOf,
  query,
  tokenMetadata,
} from '@maker/chain';
import type { StartPool } from '@maker/execution-records';
import { rankedAfterGas, readCurve, tokensAt, usualGas } from '@maker/rules';
import type { Session } from '../session/session.ts';
import type { Question, QuestionKind, Questions } from '../session/view.ts';
import { findLostOrders } from '../tracking/lost-orders.ts';
import type { TickSources } from './tick-sources.ts';

/** Gas limit of all reads of a token's metadata together, which bounds its computation and answer. Plain tokens use 50,000. */
const METADATA_GAS = 1_000_000n;

/** Number of samples kept of each pool. Amounts double, from a sixteenth of the budget to all of it. */
const START_SAMPLES = 5;

type QuestionOf<Kind extends QuestionKind> = Extract<Question, { readonly kind: Kind }>;
type Readers = {
  readonly [Kind in QuestionKind]: (question: QuestionOf<Kind>) => Promise<Questions[Kind][1]> | Questions[Kind][1];
};

/** Answers the questions of one tick from the chain, the database and other services. It writes nothing. */
export class TickReader {
  constructor(
    private readonly sources: TickSources,
    private readonly session: Session,
    private readonly head: BlockHead,
  ) {}

  async answer<Kind extends QuestionKind>(question: QuestionOf<Kind>): Promise<Questions[Kind][1]> {
    const read = this.readers[question.kind as Kind];
    return read(question as never);
  }

  private readonly readers: Readers = {
    balance: ({ expectedWei }) => this.sources.chain.reading(this.wallet, this.head.number, expectedWei),
    usedNonces: ({ expected }) => this.sources.chain.usedNonces(this.wallet, expected, expected),
    inclusions: ({ transactions }) =>
      this.sources.receipts.find(transactions, {
        head: this.head,
        tokenAddress: this.session.execution.tokenAddress,
        sentAtBlock: ({ id }) => this.session.memory.broadcasts[id]?.atBlock ?? null,
      }),
    settled: ({ finals }) => this.sources.receipts.settled(finals, this.session.execution.tokenAddress),
    lostTransactions: () => findLostOrders(this.jobId, this.sources.database.transactions, this.sources.chain),
    signed: ({ purposes, refundId }) => this.sources.database.transactions.ofPurposes(this.jobId, purposes, refundId),
    unfilledOrders: ({ numbers }) => this.sources.database.orders.numbered(this.jobId, numbers),
    tokenMetadata: () => this.metadata(),
    walletTokens: ({ token = this.session.execution.tokenAddress, expected }) =>
      this.sources.chain.tokens(token, this.wallet, expected),
    transferGas: ({ kind: _, ...transfer }) =>
      agreedTransferGas(this.sources.chain.hosts, { from: this.wallet, ...transfer }),
    market: (question) => this.market(question),
    confirmedPrice: () => {
      const { tokenAddress, orderBudgetWei: budgetWei } = this.session.execution;
      const question = { minimumLiquidityWei: this.sources.minimumLiquidityWei, budgetWei };
      return this.sources.agreedMarket.price(tokenAddress, question, this.head.baseFeeWei + this.head.tipWei);
    },
    orderGas: (question) => this.orderGas(question),
    newestBlock: () => this.newestBlock,
    startPools: ({ pools }) => this.startPools(pools),
    ledgerAddsUp: () => this.sources.ledgerAddsUp(this.session.execution),
    refunds: ({ state, most }) => this.sources.database.refunds.ofJob(this.jobId, [state], most),
    refund: ({ id }) => this.sources.database.refunds.find(id),
    refundSums: ({ exceptDueTo }) => this.sources.database.refunds.sums(this.jobId, exceptDueTo),
    unexplainedReturns: ({ to }) => this.sources.database.refunds.unexplainedReturns(this.jobId, to),
    sender: ({ kind: _, ...claim }) => this.sources.proofs.prove({ ...claim, wallet: this.wallet }),
    minedAfter: ({ kind: _, timeMs, ...claim }) =>
      this.sources.proofs.minedAfter({ ...claim, wallet: this.wallet }, timeMs),
    returnedBefore: ({ depositIds }) => this.sources.database.refunds.wereReturned(this.jobId, depositIds),
    depositsKnown: async ({ atBlock }) => {
      const isComplete = await this.sources.depositsKnown.isComplete(this.session.execution, atBlock);
      return isComplete ? this.sources.database.refunds.sums(this.jobId, null) : undefined;
    },
  };

  private get jobId(): string {
    return this.session.execution.id;
  }

  private get wallet() {
    return this.session.execution.walletAddress;
  }

  private get newestBlock(): number {
    return this.sources.feed.head?.number ?? 0;
  }

  /** Reads the token's metadata; undefined if the token uses up the gas of the reads. */
  private async metadata(): Promise<Questions['tokenMetadata'][1]> {
    try {
      return await query(this.sources.chain.client, tokenMetadata(this.session.execution.tokenAddress), METADATA_GAS);
    } catch (error) {
      if (mayGoOtherwise(meaningOf(error))) return undefined;
      throw error;
    }
  }

  /** Reads the quotes of pools that are deep enough and have not recently refused a buy, in one request. */
  private async market({ amounts, tradeWei, isConfirmed }: QuestionOf<'market'>): Promise<Questions['market'][1]> {
    const { head, sources, session } = this;
    const { chain, agreedMarket, minimumLiquidityWei } = sources;
    const askedAtBlock = this.newestBlock;
    const question = [session.execution.tokenAddress, amounts, this.wallet] as const;
    const samples = isConfirmed
      ? await agreedMarket.samples(...question, minimumLiquidityWei)
      : { ...(await chain.market.samples(...question)), isConfirmed: chain.hosts.isAlone };
    const { pools, holderTokens, blockNumber } = samples;
    const deep = deepPools(pools, minimumLiquidityWei);
    const holdsToken = holderTokens !== undefined && holderTokens > 0n;
    const offers = deep.flatMap(({ pool, orderGas, laterGas, samples: quotes }) => {
      if ((session.memory.refusedPools[pool.address] ?? 0) > head.number) return [];
      const curve = readCurve({ exchange: pool.exchangeId, orderGas, laterGas, samples: quotes });
      return curve ? [{ pool, curve, tokens: tokensAt(curve, tradeWei), gas: usualGas(curve, holdsToken) }] : [];
    });
    const ranked = rankedAfterGas(offers, tradeWei, head.baseFeeWei + head.tipWei);
    // A request may wait minutes at a rate-limited endpoint, so the block gives the quote's age.
    const quotedAtBlock = blockNumber ?? askedAtBlock;
    const market = { deepPools: deep, offers: ranked, walletTokens: holderTokens, quotedAtBlock };
    return { ...market, isConfirmed: samples.isConfirmed };
  }

  /** Estimates a buy's gas. One host is enough if its estimate is near the pool's usual gas and the last order did not fail. */
  private orderGas({ buy: { to, data, value }, usualGas }: QuestionOf<'orderGas'>): Promise<bigint | undefined> {
    const isTrusted = this.session.execution.consecutiveFailures === 0;
    const isUsual = (gas: bigint) => isTrusted && gas * 2n >= usualGas && gas <= usualGas * 2n;
    return agreedPurchaseGas(this.sources.chain.hosts, { account: this.wallet, to, data, value }, isUsual);
  }

  /** Quotes one swap of the job's whole order budget, and of parts of it, in each pool. One request for each pool. */
  private async startPools(pools: QuestionOf<'startPools'>['pools']): Promise<readonly StartPool[]> {
    const states = await this.sources.chain.market.states(pools, this.session.execution.orderBudgetWei);
    return states.map(({ exchange, samples }) => ({
      exchange,
      samples: samples.slice(-START_SAMPLES).map(({ inWei, tokens }) => ({ inWei, outTokens: tokens })),
    }));
  }
}
