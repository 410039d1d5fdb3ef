import {
  type CreateJobResponse,
  createJob,
  jobActivated,
  listEvents,
  type OperatorJobResponse,
  validateToken,
} from '@maker/contracts';
import { ALL_SERVICES, type ServiceName } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, erc20Abi } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { Actor } from './actor.ts';
import { listedEvent, predictedInboxes, replyAs, replyOf, watchRequests } from './forged-replies.ts';
import { GuardedStack } from './guarded-stack.ts';

const PAID = 0.25;
const PAID_WEI = parseHype(`${PAID}`);
const WATCHER = 'payment-watcher';

/** Users that do not answer for the job service. */
const STRANGERS = ALL_SERVICES.filter((service) => service !== 'job');

/** Replies for each creation, as many as the recorded attack sent. */
const SPRAYED = 900;
const VISITORS = 3;
/** Requests whose inboxes give the step of a counter. */
const SAMPLES = 6;

/** Blocks in which an accepted activation takes its fee. */
const BLOCKS_AFTER = 60n;

let stack: GuardedStack;
/** The job service's answer to the thief. */
let forged: CreateJobResponse;

beforeAll(async () => {
  stack = await GuardedStack.start(20);
  forged = await answerToThief();
});

afterAll(() => stack?.stop());

/** Creates the thief's own job, and records how the job service answers. */
async function answerToThief(): Promise<CreateJobResponse> {
  const { product, running } = stack;
  const gateway = await stack.as('api-gateway');
  const answers: CreateJobResponse[] = [];
  const subscription = gateway.subscribe('_INBOX.api-gateway.>', {
    callback: (_error, message) => {
      const { response } = message.json<{ response?: CreateJobResponse }>();
      if (response && 'paymentAddress' in response) answers.push(response);
    },
  });
  await gateway.flush();
  const { jobId } = await product.createJob(running.stack.tokens.both, PAID);
  subscription.unsubscribe();
  const answer = answers.find((one) => one.jobId === jobId);
  if (!answer) throw new Error('the answer to the thief was not recorded');
  return answer;
}

describe('a visitor gets the own address', { timeout: 180_000 }, () => {
  it.each(STRANGERS)('while %s answers the creation', async (user) => {
    const { product, running } = stack;
    let answered = 0;
    const stop = await watchRequests(stack, 'job', createJob.subject, (request) => {
      answered += 1;
      void replyAs(stack, [user], request, forged);
    });
    const job = await product.createJob(running.stack.tokens.both, PAID);
    stop();
    expect(answered).toBe(1);
    expect([job.jobId, job.paymentAddress]).not.toContain(forged.jobId);
    expect(job.paymentAddress).not.toBe(forged.paymentAddress);
  });

  it('while token-validation sprays predicted inboxes', async () => {
    const { product, running } = stack;
    const attacker = await stack.as('token-validation');
    const seen: string[] = [];
    const stopWatching = await watchRequests(stack, 'token-validation', validateToken.subject, ({ inbox }) => {
      seen.push(inbox);
    });
    const reply = replyOf(forged);
    let inboxes: readonly string[] = [];
    // The attacker guesses when a visitor creates a job: here always right.
    const stopSpraying = await watchRequests(stack, 'job', createJob.subject, () => {
      for (const inbox of inboxes) attacker.publish(inbox, reply);
    });
    for (let visitor = 0; visitor < VISITORS; visitor++) {
      for (let sample = 0; sample < SAMPLES; sample++) await product.validate(running.stack.tokens.both);
      inboxes = predictedInboxes(seen.slice(-SAMPLES), SPRAYED);
      const job = await product.createJob(running.stack.tokens.both, PAID);
      expect(job.paymentAddress).not.toBe(forged.paymentAddress);
    }
    stopSpraying();
    stopWatching();
    expect(seen.length).toBeGreaterThanOrEqual(VISITORS * SAMPLES);
  });
});

it('no user but job lists a false activation', { timeout: 300_000 }, async () => {
  const { product, running } = stack;
  const { chain, stack: described } = product;
  const token = running.stack.tokens.both as Address;
  const { jobId, paymentAddress } = await product.createJob(token, PAID);
  const wallet = paymentAddress as Address;
  const { job } = await product.operate<OperatorJobResponse>('GET', `/jobs/${jobId}`);
  const { plan } = await product.status(jobId);
  if (!plan) throw new Error(`${jobId} has no plan`);
  const thief = privateKeyToAddress(generatePrivateKey());
  const payer = await Actor.with(running.stack, PAID_WEI * 2n);
  const balances = async () => ({
    treasuryWei: await chain.getBalance({ address: described.treasury as Address }),
    walletNonce: await chain.getTransactionCount({ address: wallet }),
    thiefTokens: await chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [thief] }),
    thiefWei: await chain.getBalance({ address: thief }),
  });
  running.pause(WATCHER);
  let lists = 0;
  let stop = () => {};
  try {
    await payer.send({ to: wallet, value: PAID_WEI });
    const before = await balances();
    const { slotMs, tradingEndsAt, latestEndAt, limits, purchase } = plan;
    const activation = listedEvent(jobActivated.type, jobId, {
      tokenAddress: token,
      walletAddress: wallet,
      walletIndex: job.walletIndex,
      depositWei: `${PAID_WEI}`,
      returnAddress: thief,
      plan: { slotMs, tradingEndsAt, latestEndAt, seenPriceX96: purchase.seenPriceX96, ...limits },
    });
    // The paused watcher's user has its rights all the same.
    const users: readonly ServiceName[] = [WATCHER, ...STRANGERS.filter((user) => user !== WATCHER)];
    stop = await watchRequests(stack, 'job', listEvents('job').subject, (request) => {
      if (!request.inbox.startsWith('_INBOX.maker-executor.')) return;
      lists += 1;
      const upTo = { number: lists, id: 'forged' };
      void replyAs(stack, users, request, {
        isKnown: true,
        events: [{ number: lists, event: activation }],
        upTo,
        isEnd: true,
      });
    });
    await until(
      'some lists',
      async () => lists,
      (count) => count >= 4,
      { timeoutMs: 90_000 },
    );
    const last = (await chain.getBlockNumber()) + BLOCKS_AFTER;
    await until(
      'further blocks',
      () => chain.getBlockNumber(),
      (height) => height >= last,
    );
    expect((await product.payment(jobId)).status).toBe('pending_payment');
    expect(await balances()).toEqual(before);
  } finally {
    stop();
    running.resume(WATCHER);
  }
  expect((await product.ended(jobId, { timeoutMs: 180_000 })).status).toBe('completed');
  expect(await balances()).toMatchObject({ thiefTokens: 0n, thiefWei: 0n });
});
