import { randomBytes, randomUUID } from 'node:crypto';
import {
  executionCancelCommanded,
  executionCompleted,
  executionFailed,
  executionPaused,
  executionResumed,
  executionStarted,
  FIRST_POSITION,
  fundsReleased,
  jobActivated,
  jobCancelRequested,
  jobCreated,
  jobStatusChanged,
  ordersMined,
  paymentDeadlinePassed,
  paymentDropped,
  paymentReceived,
  paymentSeen,
  paymentSeenOnHyperCore,
  paymentTokensFound,
  refundDue,
  refundHeld,
  refundPaid,
  surplusFound,
  transferSettled,
} from '@maker/contracts';
import type { ServiceName } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, type Hash, isAddressEqual, parseAbi } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import type { Lies, LyingEndpoint } from '../../libs/chain/src/endpoints/lying-endpoint.fixture.ts';
import { answeredTo } from '../support/guarded-servers.ts';
import { claimedDeposit, publishEvent, recordEvent } from './false-events.ts';
import type { GuardedStack } from './guarded-stack.ts';

/** One job, its honest payer, and the attacker's address. */
export interface Victim {
  readonly jobId: string;
  readonly wallet: Address;
  readonly walletIndex: number;
  readonly token: Address;
  readonly payer: Address;
  readonly attacker: Address;
  readonly payment: { readonly transactionHash: Hash; readonly blockNumber: bigint; readonly amountWei: bigint };
}

/** The part of a victim that is known before its payment. */
export type UnpaidVictim = Omit<Victim, 'payment'>;

/** Tools of the attack: endpoints of the watcher and of the executor, in their order. */
export interface Stage {
  readonly stack: GuardedStack;
  readonly watcherEndpoints: readonly [LyingEndpoint, LyingEndpoint];
  readonly executorEndpoints: readonly [LyingEndpoint, LyingEndpoint];
}

/** An attacker who owns one part of the product, and the attack on a job. */
export interface HostileOwner {
  readonly of: string;
  /** Two owners of all endpoints of one service control its view of the chain. */
  readonly endpointOf?: 'watcher' | 'executor';
  /** Whether the job's token has an invented market: see {@link answerForMarket}. */
  readonly invents?: true;
  readonly beforePayment?: (stage: Stage, victim: UnpaidVictim) => Promise<void>;
  readonly whenPaid?: (stage: Stage, victim: Victim) => Promise<void>;
  readonly whileTrading?: (stage: Stage, victim: Victim) => Promise<void>;
  /** Ends the attack: an operator removed the attacker. */
  readonly removed?: (stage: Stage, victim: UnpaidVictim) => void;
}

const STOLEN_WEI = parseHype('0.2');
const MILLION = 1_000_000n;

const someHash = (): Hash => `0x${randomBytes(32).toString('hex')}`;

/** Sends a request as a service does, and accepts any answer. */
async function ask({ stack }: Stage, service: ServiceName, subject: string, data: object): Promise<void> {
  const request = JSON.stringify({ pattern: subject, data, id: randomUUID() });
  await (await stack.as(service)).request(subject, request, answeredTo(service, subject, 3000)).catch(() => undefined);
}

/** The pair of a token with reserves that show a higher price. */
async function dearerPair({ stack }: Stage, token: Address, percent: bigint): Promise<NonNullable<Lies['pair']>> {
  const { chain, stack: described } = stack.product;
  const abi = parseAbi([
    'function getPair(address, address) view returns (address)',
    'function token0() view returns (address)',
  ]);
  const { v2Factory, whype } = described.contracts as Record<'v2Factory' | 'whype', Address>;
  const pair = { abi, functionName: 'getPair', args: [token, whype] } as const;
  const address = await chain.readContract({ address: v2Factory, ...pair });
  const first = await chain.readContract({ address, abi, functionName: 'token0' });
  const tokens = (MILLION * 100n) / (100n + percent);
  return { address, millionths: isAddressEqual(first, token) ? [tokens, MILLION] : [MILLION, tokens] };
}

type LiesOf = (stage: Stage, victim: Victim) => Lies | Promise<Lies>;

/** Lies of an executor's endpoint while orders are placed, one at a time. */
export const TRADING_LIES: Readonly<Record<string, LiesOf>> = {
  'made-up reverts': () => ({ receipts: 'reverted' }),
  'hidden receipts': () => ({ receipts: 'hidden' }),
  'false gas': () => ({ receipts: 'dear' }),
  'refused estimates': () => ({ refuses: true }),
  'an empty wallet': () => ({ balanceWei: 0n }),
  'a richer wallet': () => ({ balanceWei: parseHype('9') }),
  'missing tokens': (_, { token }) => ({ tokens: { token, units: 0n } }),
  'used nonces': () => ({ nonces: 7 }),
  'kept transactions': () => ({ censors: true }),
  'a dearer market': async (stage, { token }) => ({ pair: await dearerPair(stage, token, 8n) }),
  'a thin market': async (stage, { token }) => ({
    pair: { ...(await dearerPair(stage, token, 0n)), millionths: [1000n, 1000n] },
  }),
};

const everything: LiesOf = async (stage, victim) => ({
  sender: victim.attacker,
  amount: 10n * MILLION,
  balanceWei: parseHype('9'),
  nonces: 7,
  receipts: 'reverted',
  refuses: true,
  censors: true,
  tokens: { token: victim.token, units: 0n },
  pair: await dearerPair(stage, victim.token, 8n),
});

const WHICH = ['first', 'second'] as const;

function watcherEndpoint(which: 0 | 1): HostileOwner {
  return {
    of: `the watcher’s ${WHICH[which]} endpoint`,
    endpointOf: 'watcher',
    async beforePayment({ stack, watcherEndpoints }, { wallet, attacker }) {
      const endpoint = watcherEndpoints[which];
      endpoint.lieAbout(wallet, { sender: attacker, amount: 10n * MILLION });
      await endpoint.forge(generatePrivateKey(), stack.running.stack.chainId, wallet, STOLEN_WEI);
    },
    removed({ watcherEndpoints }, { wallet }) {
      watcherEndpoints[which].lieAbout(wallet);
      watcherEndpoints[which].forgetForged(wallet);
    },
  };
}

/** Shows a false balance. */
export const FALSE_BALANCE: HostileOwner = {
  of: 'the watcher’s first endpoint with a false balance',
  async beforePayment({ watcherEndpoints: [endpoint] }, { wallet }) {
    endpoint.lieAbout(wallet, { balanceWei: STOLEN_WEI });
  },
  removed: ({ watcherEndpoints: [endpoint] }, { wallet }) => endpoint.lieAbout(wallet),
};

/** @param lies while orders are placed */
export function executorEndpoint(which: 0 | 1, lies: LiesOf = everything, what?: string): HostileOwner {
  return {
    of: `the executor’s ${WHICH[which]} endpoint${what ? ` with ${what}` : ''}`,
    endpointOf: 'executor',
    async beforePayment({ executorEndpoints }, { wallet, attacker }) {
      const endpoint = executorEndpoints[which];
      endpoint.lieAbout(wallet, { sender: attacker, amount: 10n * MILLION, balanceWei: STOLEN_WEI, nonces: 7 });
    },
    async whileTrading(stage, victim) {
      stage.executorEndpoints[which].lieAbout(victim.wallet, await lies(stage, victim));
    },
    removed({ executorEndpoints }, { wallet }) {
      executorEndpoints[which].lieAbout(wallet);
    },
  };
}

/** Shifts the time of every block by some days, for the watcher and the executor. */
export function falseTimes(which: 0 | 1, days: number): HostileOwner {
  const shiftTimes = ({ watcherEndpoints, executorEndpoints }: Stage, seconds: number) => {
    for (const endpoints of [watcherEndpoints, executorEndpoints]) endpoints[which].secondsAhead = seconds;
  };
  return {
    of: `the ${WHICH[which]} endpoint with times by ${days} days`,
    whenPaid: async (stage) => shiftTimes(stage, days * 86_400),
    whileTrading: async (stage) => shiftTimes(stage, days * 86_400),
    removed: (stage) => shiftTimes(stage, 0),
  };
}

/**
 * Names the attacker as the payer, invents deposits, counts the payment twice and denies it, in the watcher's own records. Hides
 * the payer and takes the payment back by messages only: the owner of the database can also hide a payment.
 */
const watcherOwner: HostileOwner = {
  of: 'payment-watcher',
  async whenPaid({ stack }, { jobId, wallet, payer, attacker, payment }) {
    const connection = await stack.as('payment-watcher');
    const { chain } = stack.product;
    const { transactionHash, blockNumber, amountWei } = payment;
    const claim = { wallet, blockNumber, from: attacker };
    const stolen = await claimedDeposit(chain, { ...claim, transactionHash, amountWei: `${amountWei}` });
    const invented = { ...claim, transactionHash: someHash(), amountWei: `${STOLEN_WEI}` };
    const block = { blockNumber: Number(blockNumber), blockAt: stolen.blockAt };
    const unseen = { depositId: `${wallet}:balance:1`, amountWei: `${amountWei * 2n}`, kind: 'balance' as const };
    const again = { ...stolen, from: payer, depositId: `${stolen.depositId}:2` };
    for (const lie of [stolen, await claimedDeposit(chain, invented), { ...unseen, ...block }, again])
      await recordEvent(stack, 'payment-watcher', paymentReceived, jobId, lie);
    await recordEvent(stack, 'payment-watcher', paymentDeadlinePassed, jobId, { ...block, receivedWei: '0' });
    const { from: _, ...payerless } = stolen;
    await publishEvent(connection, paymentReceived, jobId, { ...payerless, kind: 'internal' });
    await publishEvent(connection, paymentDropped, jobId, { ...stolen, occurrence: 1000 });
    await publishEvent(connection, paymentSeen, jobId, { seenWei: '0', revision: 1_000_000 });
  },
  async whileTrading(stage, { jobId, wallet, token, attacker, payment }) {
    const { stack } = stage;
    const connection = await stack.as('payment-watcher');
    const { transactionHash, blockNumber, amountWei } = payment;
    const claimed = { wallet, blockNumber, from: attacker, transactionHash, amountWei: `${amountWei}` };
    const deposit = await claimedDeposit(stack.product.chain, claimed);
    const again = { ...deposit, depositId: `${deposit.depositId}:again` };
    await recordEvent(stack, 'payment-watcher', paymentReceived, jobId, again);
    await recordEvent(stack, 'payment-watcher', paymentDropped, jobId, deposit);
    const { blockAt } = deposit;
    const deadline = { blockNumber: Number(blockNumber), blockAt, receivedWei: '0' };
    await recordEvent(stack, 'payment-watcher', paymentDeadlinePassed, jobId, deadline);
    const checkedAt = new Date().toISOString();
    const seen = { amountWei: `${STOLEN_WEI}`, checkedAt };
    await recordEvent(stack, 'payment-watcher', paymentSeenOnHyperCore, jobId, seen);
    const tokens = [{ address: token, symbol: 'LIE', decimals: 18, balance: `${STOLEN_WEI}` }] as never;
    await publishEvent(connection, paymentTokensFound, jobId, { tokens, searchedAt: checkedAt });
    await ask(stage, 'payment-watcher', 'job.events.list', {
      after: FIRST_POSITION,
      types: [jobActivated.type],
      limit: 5,
    });
  },
};

/** Answers market requests before the real service does, with a price ten times as high. */
export async function answerForMarket(stack: GuardedStack, tokens: ReadonlySet<string>): Promise<void> {
  const connection = await stack.as('token-validation');
  const { chain } = stack.product;
  const answer = (at: { number: bigint; timestamp: bigint }) => {
    const block = { number: Number(at.number), at: new Date(Number(at.timestamp) * 1000).toISOString() };
    const samples = Array.from({ length: 12 }, (_, index) => {
      const inWei = 400_000_000_000_000n * 2n ** BigInt(index);
      return { inWei: `${inWei}`, tokens: `${inWei * 100n - BigInt(index)}` };
    });
    const liquidityStatus = { meetsMinimum: true, hasV2: true, hasV3: false, selectedDex: 'uniswap-v2' };
    const verdict = { isValid: true, liquidityStatus, checkedAtBlock: block };
    const gas = { gasPriceWei: '1000000000', deliveryGas: '65000', blockGas: '2000000', blockTimeMs: 1000 };
    const pools = [{ exchange: 'uniswap-v2', orderGas: '150000', samples }];
    return { verdict, market: { block, ...gas, token: { symbol: 'LIE', decimals: 18 }, pools } };
  };
  connection.subscribe('token.market.get', {
    callback: (_error, message) => {
      const { id, data } = message.json<{ id: string; data: { tokenAddress: string } }>();
      if (!tokens.has(data.tokenAddress.toLowerCase())) return;
      const respond = (response: object) => message.respond(JSON.stringify({ id, isDisposed: true, response }));
      void chain.getBlock().then((block) => respond(answer(block)));
    },
  });
}

/** Gives commands that redirect money, with its own signatures and guessed secrets. */
const gatewayOwner: HostileOwner = {
  of: 'api-gateway',
  async whileTrading(stage, { jobId, attacker }) {
    const { product } = stage.stack;
    const forged = (action: string) => {
      const { text } = product.signed({ action, jobId, to: attacker, amountWei: '0' });
      const signature = randomBytes(64).toString('base64url');
      return { text, signatures: ['operator', 'second-operator'].map((operator) => ({ operator, signature })) };
    };
    for (const action of ['cancel', 'release', 'return'])
      await ask(stage, 'api-gateway', 'maker-executor.command.carry_out', forged(action));
    const stopSecret = randomBytes(24).toString('base64url');
    await ask(stage, 'api-gateway', 'job.stop', { jobId, stopSecret });
    await ask(stage, 'api-gateway', 'job.return_address.change', { jobId, stopSecret, returnAddress: attacker });
    const asked = [
      'maker-executor.rebroadcast',
      'maker-executor.reconcile',
      'payment-watcher.hypercore.check',
      'job.get',
    ];
    for (const subject of asked) await ask(stage, 'api-gateway', subject, { jobId, walletAddress: attacker });
  },
};

/** Activates the job for the attacker before and after its payment, moves its watch, requests refunds of its money, and ends it. */
const jobOwner: HostileOwner = {
  of: 'job',
  async beforePayment(stage, victim) {
    const connection = await stage.stack.as('job');
    await activateForAttacker(stage, victim, parseHype('0.16'));
    const { jobId, token, attacker } = victim;
    const watched = { tokenAddress: token, paymentAddress: attacker, paymentAmountWei: '1' };
    await publishEvent(connection, jobCreated, jobId, { ...watched, paymentDeadline: new Date(0).toISOString() });
    await publishEvent(connection, jobStatusChanged, jobId, { from: 'pending_payment', to: 'cancelled' });
  },
  async whileTrading(stage, victim) {
    const { stack } = stage;
    const { jobId, wallet, walletIndex, token, attacker, payment } = victim;
    const connection = await stack.as('job');
    const { transactionHash, blockNumber, amountWei } = payment;
    const latestEndAt = await activateForAttacker(stage, victim, amountWei);
    const refund = (depositId: string) => ({
      returnId: randomUUID(),
      amountWei: `${amountWei}`,
      walletAddress: wallet,
      walletIndex,
      tokenAddress: token,
      depositIds: [depositId],
      to: attacker,
      activated: true,
      blockNumber: Number(blockNumber),
    });
    const paidBy = `${wallet}:${transactionHash}`.toLowerCase();
    const sentBy = [{ transactionHash, amountWei: `${amountWei}` }];
    await publishEvent(connection, refundDue, jobId, { ...refund(paidBy), sentBy });
    await publishEvent(connection, refundDue, jobId, refund(randomUUID()));
    const created = { tokenAddress: token, paymentAddress: attacker, paymentAmountWei: `${amountWei}` };
    await publishEvent(connection, jobCreated, jobId, { ...created, paymentDeadline: latestEndAt });
    await publishEvent(connection, jobStatusChanged, jobId, { from: 'pending_payment', to: 'active' });
    await publishEvent(connection, jobCancelRequested, jobId, {});
  },
};

/** @returns the latest end of the job's plan */
async function activateForAttacker({ stack }: Stage, victim: UnpaidVictim, depositWei: bigint): Promise<string> {
  const { jobId, wallet, walletIndex, token, attacker } = victim;
  const activated = { tokenAddress: token, walletAddress: wallet, walletIndex, depositWei: `${depositWei}` };
  const { plan } = await stack.product.status(jobId);
  if (!plan) throw new Error(`${jobId} has no plan`);
  const { slotMs, tradingEndsAt, latestEndAt, limits, purchase } = plan;
  const agreed = { slotMs, tradingEndsAt, latestEndAt, seenPriceX96: purchase.seenPriceX96, ...limits };
  const connection = await stack.as('job');
  await publishEvent(connection, jobActivated, jobId, { ...activated, returnAddress: attacker, plan: agreed });
  return latestEndAt;
}

/** Publishes false surplus, transfers and ends. */
const executorOwner: HostileOwner = {
  of: 'maker-executor',
  async beforePayment({ stack }, { jobId }) {
    const connection = await stack.as('maker-executor');
    const { number, timestamp } = await stack.product.chain.getBlock();
    const at = { blockNumber: Number(number), blockAt: new Date(Number(timestamp) * 1000).toISOString() };
    await publishEvent(connection, surplusFound, jobId, { ...at, depositId: randomUUID(), amountWei: `${STOLEN_WEI}` });
    await publishEvent(connection, executionCancelCommanded, jobId, { operators: ['operator', 'second-operator'] });
  },
  async whileTrading({ stack }, { jobId, attacker, payment }) {
    const connection = await stack.as('maker-executor');
    const { number, timestamp } = await stack.product.chain.getBlock();
    const blockNumber = Number(number);
    const blockAt = new Date(Number(timestamp) * 1000).toISOString();
    const found = { depositId: randomUUID(), amountWei: `${STOLEN_WEI}`, blockNumber, blockAt };
    const amount = `${payment.amountWei}`;
    const { transactionHash } = payment;
    const refund = { returnId: randomUUID(), amountWei: amount };
    const sums = {
      ordersPlaced: 1,
      tradedWei: amount,
      gasWei: '0',
      feeWei: '0',
      deliveredTokens: '0',
      returnedWei: amount,
    };
    await publishEvent(connection, surplusFound, jobId, found);
    await publishEvent(connection, executionStarted, jobId, {
      plannedOrders: 1,
      intervalMs: 1,
      feeWei: '0',
      orderBudgetWei: amount,
    });
    await publishEvent(connection, executionPaused, jobId, { reason: 'operator' });
    await publishEvent(connection, executionResumed, jobId, { reason: 'operator' });
    await publishEvent(connection, ordersMined, jobId, {
      blockNumber,
      minedInBlock: 1,
      ordersPlaced: 1,
      tradedWei: amount,
      tokensBought: '1',
    });
    const settled = { kind: 'return', succeeded: true, transactionHash, to: attacker, gasWei: '0' } as const;
    await publishEvent(connection, transferSettled, jobId, { ...settled, amount, blockNumber });
    await publishEvent(connection, refundPaid, jobId, { ...refund, to: attacker, transactionHash, withTheRest: false });
    await publishEvent(connection, refundHeld, jobId, { ...refund, reason: 'a lie' });
    await publishEvent(connection, fundsReleased, jobId, { to: attacker, amountWei: amount, returnIds: [] });
    await publishEvent(connection, executionCancelCommanded, jobId, { operators: ['operator', 'second-operator'] });
    await publishEvent(connection, executionCompleted, jobId, sums);
    await publishEvent(connection, executionFailed, jobId, {
      reason: 'technical',
      message: 'a lie',
      ordersPlaced: 0,
      returnedWei: amount,
    });
  },
};

/** Requests signatures for receipts of other jobs. */
const receiptsOwner: HostileOwner = {
  of: 'receipts',
  async whileTrading(stage, { jobId, attacker }) {
    const receipt = { jobId, chainId: stage.stack.running.stack.chainId, wallet: attacker, state: 'final' };
    await ask(stage, 'receipts', 'receipt.sign', { ...receipt, contentHash: someHash() });
    await ask(stage, 'receipts', 'job.deposits.list', { jobId });
  },
};

/** Reads events, its only right. */
const webhookOwner: HostileOwner = {
  of: 'webhook-sender',
  async whileTrading(stage) {
    const query = { after: FIRST_POSITION, types: [jobActivated.type], limit: 500 };
    for (const service of ['job', 'payment-watcher', 'maker-executor'])
      await ask(stage, 'webhook-sender', `${service}.events.list`, query);
  },
};

/** All hostile owners. */
export const HOSTILE_OWNERS: readonly HostileOwner[] = [
  watcherEndpoint(0),
  watcherEndpoint(1),
  executorEndpoint(0),
  executorEndpoint(1),
  watcherOwner,
  { of: 'token-validation', invents: true },
  gatewayOwner,
  jobOwner,
  executorOwner,
  receiptsOwner,
  webhookOwner,
];
