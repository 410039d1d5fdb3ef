import { randomUUID } from 'node:crypto';
import type { RunningStack, ServiceName } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { MongoClient } from 'mongodb';
import { type Address, createWalletClient, type Hex, http, parseAbi, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import type { FaultyNetwork } from '../../support/faulty-network.ts';
import type { ProductClient } from '../../support/product-client.ts';
import { until } from '../../support/until.ts';
import type { Server } from './pages/faults.ts';
import { askAtRandom } from './random-requests.ts';

const MULTICALL3 = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[])',
]);

/** Far above the guardrail of 10 gwei; empty blocks lower it by an eighth each. */
const HIGH_BASE_FEE_WEI = 40_000_000_000n;

/** Duration of a server's outage, and of a dead service, in blocks. */
const OUTAGE_BLOCKS = 20n;
const MISSED_BLOCKS = 5n;
/** Jobs that visitors create in that time: the product refuses those beyond its limit of unpaid jobs. */
const MOST_ASKED_FOR = 5;

const MENDED = { timeoutMs: 120_000, everyMs: 500 };
const JOB_END = { timeoutMs: 180_000, everyMs: 500 };

/** Events of a day: jobs that succeed and fail, dead services, high gas, requests of strangers. */
export class ScriptedDay {
  private readonly payer;

  constructor(
    private readonly running: RunningStack,
    private readonly product: ProductClient,
    private readonly networks: ReadonlyMap<Server, FaultyNetwork>,
  ) {
    const { stack } = running;
    const account = privateKeyToAccount(stack.payer.privateKey as Hex);
    const chain = { ...foundry, id: stack.chainId };
    this.payer = createWalletClient({ account, chain, transport: http(stack.rpcUrl) }).extend(publicActions);
  }

  /** Validates tokens of every kind, requests a job for an unsellable token, sends strangers' requests, and records an invalid event. */
  async morning(strangers: number): Promise<void> {
    await this.recordNonsense();
    for (const token of Object.values(this.running.stack.tokens)) await this.product.validate(token);
    await this.product.call('POST', '/jobs/create', {
      tokenAddress: this.running.stack.tokens.honeypot,
      paymentAmount: 1,
    });
    await askAtRandom(this.running.stack, strangers);
  }

  /**
   * Two jobs: one paid as usual, one by a contract without a return address. In their middle gas rises above the guardrail, and then
   * each service except the executor dies and restarts while a visitor reads the page.
   */
  async noon(): Promise<void> {
    const { tokens } = this.running.stack;
    const usual = await this.product.createJob(tokens.both, 0.25);
    const byContract = await this.product.createJob(tokens.v2Only, 0.25);
    await this.product.pay(usual.paymentAddress, '0.25');
    await this.payByContract(byContract.paymentAddress as Address, parseHype('0.25'));
    await this.payAndCancel();
    await this.orders(usual.jobId, 10);
    await this.pause(usual.jobId);
    await until(
      'the end of the pause',
      () => this.product.status(usual.jobId),
      ({ receipt }) => receipt?.paused === undefined,
    );
    await this.dies('job', usual.jobId);
    await this.dies('payment-watcher', usual.jobId);
    await this.dies('maker-executor', usual.jobId);
    await this.ends(usual.jobId, 'completed');
    await this.ends(byContract.jobId, 'completed');
  }

  /**
   * Each server is unreachable for `OUTAGE_BLOCKS` and recovers: the chain during a payment, the broker and the database while the job
   * trades.
   */
  async afternoon(): Promise<void> {
    const { jobId, paymentAddress } = await this.product.createJob(this.running.stack.tokens.both, 0.25);
    await this.unreached('chain', jobId, () => this.product.pay(paymentAddress, '0.25'));
    await this.orders(jobId, 3);
    await this.unreached('nats-server', jobId);
    await this.unreached('mongod', jobId);
    await this.ends(jobId, 'completed');
  }

  /** Passes deadlines: jobs are underpaid, paid late, and paid by a contract without a known payer. */
  async evening(): Promise<void> {
    const { tokens } = this.running.stack;
    const unpaid = await this.product.createJob(tokens.v3Only, 0.25);
    const underpaid = await this.product.createJob(tokens.v3Only, 0.25);
    const withoutPayer = await this.product.createJob(tokens.v3Only, 0.25);
    await this.product.pay(underpaid.paymentAddress, '0.1');
    await until(
      'the part of a payment',
      () => this.product.payment(underpaid.jobId),
      ({ receivedWei }) => receivedWei !== '0',
    );
    const deadline = Math.ceil(Date.parse(withoutPayer.paymentDeadline) / 1000);
    await this.rpc('evm_setNextBlockTimestamp', [deadline + 5]);
    await this.rpc('evm_mine', []);
    await this.ends(unpaid.jobId, 'payment_expired');
    await this.ends(underpaid.jobId, 'payment_expired');
    await this.ends(withoutPayer.jobId, 'payment_expired');
    await this.product.pay(unpaid.paymentAddress, '0.25');
    await until(
      'the late payment',
      () => this.product.payment(unpaid.jobId),
      ({ flags }) => flags.late,
    );
    await this.payByContract(withoutPayer.paymentAddress as Address, parseHype('0.1'));
    await until(
      'money without a known payer',
      () => this.product.status(withoutPayer.jobId),
      ({ returns }) => returns?.some(({ status }) => status === 'held') ?? false,
    );
  }

  /** At the end, a job waits for cheaper gas in the middle of its orders. */
  async night(): Promise<void> {
    const { jobId, paymentAddress } = await this.product.createJob(this.running.stack.tokens.both, 0.25);
    await this.product.pay(paymentAddress, '0.25');
    await this.orders(jobId, 3);
    await this.pause(jobId);
  }

  /** Raises gas above the guardrail. */
  private async pause(jobId: string): Promise<void> {
    await this.raiseGas();
    await until(
      'the pause',
      () => this.product.status(jobId),
      ({ receipt }) => receipt?.paused?.reason === 'gas_guardrail',
    );
  }

  /** A job that an operator ends soon after its payment. */
  private async payAndCancel(): Promise<void> {
    const { jobId, paymentAddress } = await this.product.createJob(this.running.stack.tokens.v3Only, 0.25);
    await this.product.pay(paymentAddress, '0.25');
    await this.orders(jobId, 3);
    await this.product.command({ action: 'cancel', jobId });
    await this.ends(jobId, 'cancelled');
  }

  /** An event that no release of payment-watcher can parse. */
  private async recordNonsense(): Promise<void> {
    const client = new MongoClient(this.running.stack.mongoUrl);
    const row = { type: 'job.created', version: 99, occurredAt: new Date(), jobId: `job_${'0'.repeat(32)}`, data: {} };
    await client
      .db('job')
      .collection<{ _id: string }>('outbox')
      .insertOne({ _id: randomUUID(), ...row });
    await client.close();
  }

  private async orders(jobId: string, count: number): Promise<void> {
    await until(
      'the first orders',
      () => this.product.status(jobId),
      ({ receipt }) => (receipt?.ordersPlaced ?? 0) >= count,
    );
  }

  private async ends(jobId: string, status: string): Promise<void> {
    await until(
      `a job that is ${status}`,
      () => this.product.payment(jobId),
      (payment) => payment.status === status,
      JOB_END,
    );
  }

  /** Kills a service, leaves it down for some seconds, and restarts it. */
  private async dies(service: ServiceName, jobId: string): Promise<void> {
    await this.running.kill(service, 'SIGKILL');
    await this.visitFor(MISSED_BLOCKS, jobId);
    await this.running.restart(service);
  }

  /** Visitors read a job for a number of blocks and ignore the answers; the first of them create another. */
  private async visitFor(blocks: bigint, jobId: string): Promise<void> {
    const { chain } = this.product;
    const { both: tokenAddress } = this.running.stack.tokens;
    const end = (await chain.getBlockNumber()) + blocks;
    let visits = 0;
    const visit = async () => {
      visits += 1;
      await Promise.all([
        this.product.call('GET', `/jobs/${jobId}/status`),
        visits <= MOST_ASKED_FOR
          ? this.product.call('POST', '/jobs/create', { tokenAddress, paymentAmount: 1 })
          : this.product.call('POST', '/validate-token', { tokenAddress }),
      ]);
      return chain.getBlockNumber();
    };
    await until(`${blocks} blocks`, visit, (block) => block >= end, MENDED);
  }

  /** Makes a server unreachable for some time. @param meanwhile runs during the outage */
  private async unreached(server: Server, jobId: string, meanwhile = async (): Promise<unknown> => undefined) {
    const network = this.networks.get(server);
    network?.set({ kind: 'reset' });
    await meanwhile();
    await this.visitFor(OUTAGE_BLOCKS, jobId);
    network?.set({ kind: 'none' });
    const visit = () => this.product.call('GET', `/jobs/${jobId}/payment`);
    await until(`an answer after the outage of ${server}`, visit, ({ status }) => status === 200, MENDED);
  }

  private async payByContract(to: Address, value: bigint): Promise<void> {
    const hash = await this.payer.writeContract({
      address: this.running.stack.contracts.multicall3,
      abi: MULTICALL3,
      functionName: 'aggregate3Value',
      args: [[{ target: to, allowFailure: false, value, callData: '0x' }]],
      value,
    });
    await this.payer.waitForTransactionReceipt({ hash, pollingInterval: 200 });
  }

  private async raiseGas(): Promise<void> {
    await this.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${HIGH_BASE_FEE_WEI.toString(16)}`]);
  }

  private rpc(method: string, params: unknown[]): Promise<unknown> {
    return this.product.control.request(method, ...params);
  }
}
