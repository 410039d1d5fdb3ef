import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type {
  CreateJobResponse,
  JobOrdersResponse,
  JobPaymentResponse,
  JobStatusResponse,
  OperatorCommandResponse,
  OperatorJobResponse,
  ReconciliationResponse,
  SignedCommand,
  StatsResponse,
  ValidateTokenResponse,
} from '@maker/contracts';
import { controlNode } from '@maker/hyperevm-node';
import { localNetwork, type StackDescription } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { readPrivateKey, signCommand } from '@maker/signing/commands';
import {
  type Address,
  BaseError,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  http,
  parseAbi,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Patience, until } from './until.ts';

/** All that the tests know of a running product: its published description. */
export function readStack(): StackDescription {
  const file = process.env.STACK_FILE;
  if (!file) throw new Error('STACK_FILE names no stack.json: did stack.setup.ts run?');
  return JSON.parse(readFileSync(file, 'utf8')) as StackDescription;
}

/** A fee that is high enough for a chain that fills up meanwhile, so that the payment does not wait. Wei per gas. */
const ANY_FEE = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 0n };

/** Several processes pay from one account. @throws every error except a nonce that another one used */
function noneIfNonceTaken(error: unknown): undefined {
  const isTaken = error instanceof BaseError && /nonce too low|replacement transaction underpriced/.test(error.details);
  if (!isTaken) throw error;
}

/** Longest wait for the end of other jobs' bookings. */
const BOOKED_MS = 300_000;

/** An HTTP answer of any status. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Uses the product as a visitor's browser and wallet do: through its API and its chain. */
export class ProductClient {
  readonly stack;
  readonly chain;
  /** Control of the chain that only a test has. */
  readonly control;
  private readonly wallet;
  private sending: Promise<unknown> = Promise.resolve();

  constructor(stack: StackDescription) {
    this.stack = stack;
    const chain = localNetwork(stack.rpcUrl);
    const transport = http(stack.rpcUrl);
    this.control = controlNode(stack.chainControlUrl);
    this.chain = createPublicClient({ chain, transport, pollingInterval: 100, cacheTime: 0 });
    this.wallet = createWalletClient({ chain, transport, account: privateKeyToAccount(stack.payer.privateKey as Hex) });
  }

  async call<Body>(method: 'GET' | 'POST', path: string, body?: unknown, headers?: HeadersInit): Promise<Answer<Body>> {
    const response = await fetch(`${this.stack.apiUrl}${path}`, {
      method,
      headers: {
        'x-api-key': this.stack.apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as Body };
  }

  async validate(tokenAddress: string): Promise<ValidateTokenResponse> {
    return this.expectSuccess(await this.call<ValidateTokenResponse>('POST', '/validate-token', { tokenAddress }));
  }

  /** Retries until the product accepts the job: earlier jobs may have booked all capacity (design § 4a). */
  async createJob(tokenAddress: string, paymentAmount: number, returnAddress?: string): Promise<CreateJobResponse> {
    const body = { tokenAddress, paymentAmount, ...(returnAddress && { returnAddress }) };
    const answer = await until(
      'room for a job',
      () => this.call<CreateJobResponse | { code: string }>('POST', '/jobs/create', body),
      ({ body }) => !('code' in body && body.code === 'NO_CAPACITY'),
      { timeoutMs: BOOKED_MS },
    );
    return this.expectSuccess(answer as Answer<CreateJobResponse>);
  }

  async payment(jobId: string): Promise<JobPaymentResponse> {
    return this.expectSuccess(await this.call<JobPaymentResponse>('GET', `/jobs/${jobId}/payment`));
  }

  /** Waits until a job that is or will be paid has ended. @returns its end */
  ended(jobId: string, patience: Patience): Promise<JobPaymentResponse> {
    return until(
      'the end of the job',
      () => this.payment(jobId),
      ({ status }) => status !== 'active' && status !== 'pending_payment',
      patience,
    );
  }

  /** Waits until a job is completed. */
  completed(jobId: string, patience: Patience): Promise<JobPaymentResponse> {
    return until(
      'the completed job',
      () => this.payment(jobId),
      ({ status }) => status === 'completed',
      patience,
    );
  }

  async status(jobId: string): Promise<JobStatusResponse> {
    return this.expectSuccess(await this.call<JobStatusResponse>('GET', `/jobs/${jobId}/status`));
  }

  async stats(): Promise<StatsResponse> {
    return this.expectSuccess(await this.call<StatsResponse>('GET', '/stats'));
  }

  /** Every order of a job, page by page. */
  async orders(jobId: string): Promise<JobOrdersResponse['orders']> {
    const orders: JobOrdersResponse['orders'] = [];
    for (;;) {
      const after = orders.at(-1)?.number ?? 0;
      const page = this.expectSuccess(
        await this.call<JobOrdersResponse>('GET', `/jobs/${jobId}/orders?after=${after}&limit=500`),
      );
      if (page.orders.length === 0) return orders;
      orders.push(...page.orders);
    }
  }

  /** Calls the API with the operator's key. */
  async operate<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Body> {
    return this.expectSuccess(await this.askAsOperator<Body>(method, path, body));
  }

  /** Calls the API with the operator's key, and returns any answer. @param path below `/operator` */
  askAsOperator<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer<Body>> {
    return this.call<Body>(method, `/operator${path}`, body, { 'x-api-key': this.stack.operatorApiKey });
  }

  /** A command with signatures of the stack's operators. @param signers how many of them sign */
  signed(
    fields: {
      action: string;
      jobId?: string;
      to?: string;
      amountWei?: string;
      walletAddress?: string;
      walletIndex?: number;
      gasFrom?: string;
      tokens?: readonly string[];
      wallet?: { address: string; index: number; tokenAddress: string };
    },
    signers = 2,
  ): SignedCommand {
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const reason = 'asked for by a test';
    const command = { chainId: this.stack.chainId, reason, nonce: randomUUID(), expiresAt, ...fields };
    const text = JSON.stringify(command);
    const signatures = this.stack.operators.slice(0, signers).map(({ name, keyFile }) => ({
      operator: name,
      signature: signCommand(text, readPrivateKey(readFileSync(keyFile, 'utf8'))),
    }));
    return { text, signatures };
  }

  /** Sends a command of the stack's operators. */
  async command(...given: Parameters<ProductClient['signed']>): Promise<OperatorCommandResponse> {
    return this.operate('POST', '/commands', this.signed(...given));
  }

  /** Releases a job's held money with both operators' signatures. */
  async release(jobId: string, to: string): Promise<OperatorCommandResponse> {
    const { heldWei } = await this.operate<ReconciliationResponse>('GET', `/jobs/${jobId}/reconciliation`);
    return this.command({ action: 'release', jobId, to, amountWei: heldWei });
  }

  /** Fields of a command that returns all HYPE of a job's wallet on HyperCore. */
  async hyperCoreReturn(jobId: string, to: string, amountWei: bigint) {
    const { job } = await this.operate<OperatorJobResponse>('GET', `/jobs/${jobId}`);
    const wallet = { walletAddress: job.paymentAddress, walletIndex: job.walletIndex };
    return { action: 'return_hypercore', jobId, to, amountWei: amountWei.toString(), ...wallet };
  }

  /** Fields of a command that releases tokens, sent by mistake to an unpaid job's wallet. */
  async tokenRelease(jobId: string, to: string, tokens: readonly string[], gasFrom: string) {
    const { job } = await this.operate<OperatorJobResponse>('GET', `/jobs/${jobId}`);
    const wallet = { address: job.paymentAddress, index: job.walletIndex, tokenAddress: job.tokenAddress };
    return { action: 'release', jobId, to, amountWei: '0', tokens, wallet, gasFrom };
  }

  /** Pays as a visitor does, by a plain transfer. @returns hash and block of the payment */
  async pay(address: string, amountHype: string): Promise<{ hash: Hash; blockNumber: bigint }> {
    return this.send(address, parseHype(amountHype));
  }

  /** Wraps HYPE of the payer. */
  async wrap(amountWei: bigint): Promise<void> {
    const data = encodeFunctionData({ abi: parseAbi(['function deposit() payable']) });
    await this.send(this.stack.contracts.whype, amountWei, data);
  }

  /** Sends tokens of the payer to an address, as a mistaken visitor does. */
  async sendTokens(token: string, to: string, amount: bigint): Promise<void> {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, amount] });
    await this.send(token, 0n, data);
  }

  private async send(to: string, value: bigint, data: Hex = '0x'): Promise<{ hash: Hash; blockNumber: bigint }> {
    const submit = () =>
      this.wallet.sendTransaction({ to: to as Address, value, data, ...ANY_FEE }).catch(noneIfNonceTaken);
    const send = async () => {
      const hash = await until('a nonce that no other process takes first', submit, (sent) => sent !== undefined);
      return this.chain.waitForTransactionReceipt({ hash: hash as Hash });
    };
    // Sends one after another, each after the previous one is mined: HyperEVM's nonce excludes waiting transactions, so two together
    // would take the same nonce.
    const sent = this.sending.then(send, send);
    this.sending = sent;
    const receipt = await sent;
    return { hash: receipt.transactionHash, blockNumber: receipt.blockNumber };
  }

  private expectSuccess<Body>(answer: Answer<Body>): Body {
    if (answer.status >= 300) throw new Error(`status ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
