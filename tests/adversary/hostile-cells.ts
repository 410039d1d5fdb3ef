import type { CreateJobResponse, JobPaymentResponse, OperatorJobResponse } from '@maker/contracts';
import { parseHype, splitDeposit } from '@maker/rules';
import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LyingEndpoint } from '../../libs/chain/src/endpoints/lying-endpoint.fixture.ts';
import { until } from '../support/until.ts';
import { tokenBalance } from '../support/wallet-accounts.ts';
import { Actor } from './actor.ts';
import { ChainAccounts } from './chain-accounts.ts';
import { GuardedStack } from './guarded-stack.ts';
import { answerForMarket, type HostileOwner, type Stage, type Victim } from './hostile-owners.ts';
import { deployer, type Market, openMarkets } from './markets.ts';

/** Owners of parts of the product who attack one job together. */
export type Cell = readonly HostileOwner[];

/** Pays for thirty orders. */
const PAID = 0.16;
const PAID_WEI = parseHype(`${PAID}`);
const WINDOW_SECONDS = 15;
const CELL_MS = 480_000;
const PATIENT = { timeoutMs: 400_000, everyMs: 1000 };

/** Dust in an emptied wallet: a transfer of it would not pay for its gas. */
const DUST_WEI = parseHype('0.001');

/** Longer than the executor waits for a lagging endpoint, and than twenty reverts take. */
const LIES_FOR_BLOCKS = 40n;

/** One stack for all cells; each cell has its own token. */
class Matrix {
  readonly ends: string[] = [];
  private creating: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly stage: Stage,
    private readonly accounts: ChainAccounts,
    private readonly markets: Market[],
    private readonly invented: Set<string>,
  ) {}

  static async start(cells: number): Promise<Matrix> {
    const start = () => LyingEndpoint.start();
    const watcherEndpoints = [await start(), await start()] as const;
    const executorEndpoints = [await start(), await start()] as const;
    const urlsOf = (endpoints: readonly LyingEndpoint[]) => endpoints.map(({ url }) => url).join();
    const environment = {
      job: { MINIMUM_PAYMENT_HYPE: `${PAID}` },
      'payment-watcher': { CHAIN_RPC_URLS: urlsOf(watcherEndpoints), CHAIN_TRUST_SINGLE_ENDPOINT: 'false' },
      'maker-executor': { CHAIN_RPC_URLS: urlsOf(executorEndpoints), CHAIN_TRUST_SINGLE_ENDPOINT: 'false' },
    };
    const stack = await GuardedStack.start(WINDOW_SECONDS, environment, async (server, port) => {
      const upstream = `http://127.0.0.1:${port}`;
      if (server === 'chain') for (const one of [...watcherEndpoints, ...executorEndpoints]) one.upstream = upstream;
      return port;
    });
    const { product, running } = stack;
    const markets = await openMarkets(deployer(running.stack), running.stack, product.chain, Array(cells).fill('V2'));
    const invented = new Set<string>();
    await answerForMarket(stack, invented);
    const accounts = new ChainAccounts(product, await product.chain.getBlockNumber());
    return new Matrix({ stack, watcherEndpoints, executorEndpoints }, accounts, markets, invented);
  }

  async stop(): Promise<void> {
    const { stack, watcherEndpoints, executorEndpoints } = this.stage;
    await stack.stop();
    await Promise.all([...watcherEndpoints, ...executorEndpoints].map((endpoint) => endpoint.stop()));
  }

  /** Attacks a job for a while, then restores the truth, and waits for its end. */
  async run(owners: Cell): Promise<{ readonly victim: Victim; readonly job: JobPaymentResponse }> {
    const { stage } = this;
    const { product, running } = stage.stack;
    const { token } = this.markets.pop() ?? {};
    if (!token) throw new Error('no market is left');
    if (owners.some(({ invents }) => invents)) this.invented.add(token.toLowerCase());
    const payer = await Actor.with(running.stack, PAID_WEI * 2n);
    const { jobId, paymentAddress } = await this.createJob(token);
    const { job: row } = await product.operate<OperatorJobResponse>('GET', `/jobs/${jobId}`);
    const attacker = privateKeyToAddress(generatePrivateKey());
    const wallet = getAddress(paymentAddress);
    const unpaid = { jobId, wallet, walletIndex: row.walletIndex, token, payer: payer.address, attacker };
    const remove = () => owners.map(({ removed }) => removed?.(stage, unpaid));
    await Promise.all(owners.map(({ beforePayment }) => beforePayment?.(stage, unpaid)));
    const { transactionHash, blockNumber } = await payer.send({ to: wallet, value: PAID_WEI });
    const victim = { ...unpaid, payment: { transactionHash, blockNumber, amountWei: PAID_WEI } };
    await Promise.all(owners.map(({ whenPaid }) => whenPaid?.(stage, victim)));
    await this.blocksPass();
    remove();
    const isOver = ({ status }: Pick<JobPaymentResponse, 'status'>) =>
      status !== 'active' && status !== 'pending_payment';
    const job = async () => ({ job: await product.status(jobId) });
    await until('the first order', job, ({ job }) => isOver(job) || (job.receipt?.ordersPlaced ?? 0) > 0, PATIENT);
    await Promise.all(owners.map(({ whileTrading }) => whileTrading?.(stage, victim)));
    await this.blocksPass();
    remove();
    return { victim, job: await product.ended(jobId, PATIENT) };
  }

  /** Creates jobs one after another: a busy machine times out on sixteen together. */
  private createJob(token: string): Promise<CreateJobResponse> {
    const { product } = this.stage.stack;
    const body = { tokenAddress: token, paymentAmount: PAID };
    const create = async () =>
      until(
        'the created job',
        () => product.call<CreateJobResponse>('POST', '/jobs/create', body),
        ({ status }) => status === 201,
        PATIENT,
      );
    const created = this.creating.then(create);
    this.creating = created.catch(() => undefined);
    return created.then(({ body: job }) => job);
  }

  /** Sums on the chain: where each wei of the payment went, and who has the tokens. */
  async sumsOf({ wallet, token, payer, attacker }: Victim) {
    const { product } = this.stage.stack;
    return {
      ...(await this.accounts.of(wallet, payer, token)),
      attackerWei: await product.chain.getBalance({ address: attacker }),
      attackerTokens: await tokenBalance(product, token, attacker),
      payerTokens: await tokenBalance(product, token, payer),
      walletTokens: await tokenBalance(product, token, wallet),
    };
  }

  async blocksPass(count = LIES_FOR_BLOCKS): Promise<void> {
    const { chain } = this.stage.stack.product;
    const last = (await chain.getBlockNumber()) + count;
    await until(
      'further blocks',
      () => chain.getBlockNumber(),
      (height) => height >= last,
      PATIENT,
    );
  }
}

/**
 * Runs cells side by side in one stack, and asserts for each that no stranger got a wei and that no job was ended.
 * @param alone cells that disturb others and run one after another
 */
export function describeCells(what: string, cells: readonly Cell[], alone: readonly Cell[] = []): void {
  const named = (some: readonly Cell[]) =>
    some.map((owners) => [owners.map(({ of }) => of).join(' and '), owners] as const);
  let matrix: Matrix;

  beforeAll(async () => {
    matrix = await Matrix.start(cells.length + alone.length);
  });

  afterAll(async () => {
    console.log(['| owned | end | orders | s |', '| --- | --- | --- | --- |', ...(matrix?.ends ?? [])].join('\n'));
    await matrix?.stop();
  });

  describe.concurrent(what, () => {
    it.each(named(cells))('%s gain nothing', { timeout: CELL_MS }, (name, owners) => gainNothing(matrix, name, owners));
  });

  if (alone.length > 0)
    describe(`${what} one by one`, () => {
      it.each(named(alone))('%s gain nothing', { timeout: CELL_MS }, (name, owners) =>
        gainNothing(matrix, name, owners),
      );
    });
}

async function gainNothing(matrix: Matrix, name: string, owners: Cell): Promise<void> {
  const startedAtMs = Date.now();
  const { victim, job } = await matrix.run(owners);
  // An attacker may report an end while transactions are under way.
  const { attackerWei, attackerTokens, payerTokens, walletTokens, ...sums } = await until(
    'each wei of the payment',
    () => matrix.sumsOf(victim),
    ({ feeWei, tradedWei, gasWei, returnedWei, lostWei, balanceWei }) =>
      feeWei + tradedWei + gasWei + returnedWei + lostWei + balanceWei === PAID_WEI,
    PATIENT,
  );
  const seconds = Math.round((Date.now() - startedAtMs) / 1000);
  matrix.ends.push(`| ${name} | ${job.status} | ${sums.ordersPlaced} | ${seconds} |`);
  const { feeWei, lostWei, balanceWei, ordersPlaced } = sums;
  expect([attackerWei, attackerTokens, lostWei]).toEqual([0n, 0n, 0n]);
  expect([0n, splitDeposit(PAID_WEI).feeWei], 'the fee, once').toContain(feeWei);
  expect(job.status).toBe('completed');
  expect(ordersPlaced).toBeGreaterThan(0);
  expect(payerTokens, 'the payer has the bought tokens').toBeGreaterThan(0n);
  expect(balanceWei).toBeLessThan(DUST_WEI);
}
