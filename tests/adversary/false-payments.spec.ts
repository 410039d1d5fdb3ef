import { randomBytes } from 'node:crypto';
import { paymentReceived } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { type Address, erc20Abi, type TransactionReceipt } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { Actor } from './actor.ts';
import { type ClaimedTransfer, claimedDeposit, publishEvent } from './false-events.ts';
import { GuardedStack } from './guarded-stack.ts';

const PAID_WEI = parseHype('0.25');
const WATCHER = 'payment-watcher';

/** More blocks than pass before a wallet with a missed deposit is compared with its ledger. */
const BLOCKS_AFTER = 40n;

/** A job that an honest payer paid and to which an attacker sent 1 wei. */
interface Scene {
  readonly jobId: string;
  readonly wallet: Address;
  readonly payer: Actor;
  readonly attacker: Actor;
  readonly payment: TransactionReceipt;
  readonly dust: TransactionReceipt;
}

/** False claims by the owner of payment-watcher's NATS user. */
const LIES: readonly (readonly [string, (scene: Scene) => Partial<ClaimedTransfer>])[] = [
  ['another sender of the payment', ({ attacker }) => ({ from: attacker.address })],
  [
    'a payment that does not exist',
    ({ attacker }) => ({ from: attacker.address, transactionHash: `0x${randomBytes(32).toString('hex')}` }),
  ],
  [
    'a larger amount than the attacker sent',
    ({ attacker, dust }) => ({ from: attacker.address, transactionHash: dust.transactionHash }),
  ],
  ['a larger amount than the payer sent', () => ({ amountWei: `${PAID_WEI * 10n}` })],
];

let stack: GuardedStack;

beforeAll(async () => {
  stack = await GuardedStack.start(20);
});

afterAll(() => stack?.stop());

/** The true watcher has published nothing yet, so the false claim arrives first. */
async function setScene(): Promise<Scene> {
  const { product, running } = stack;
  const { jobId, paymentAddress } = await product.createJob(running.stack.tokens.both, 0.25);
  const wallet = paymentAddress as Address;
  const [payer, attacker] = await Promise.all([
    Actor.with(running.stack, PAID_WEI * 2n),
    Actor.with(running.stack, parseHype('0.1')),
  ]);
  running.pause(WATCHER);
  const dust = await attacker.send({ to: wallet, value: 1n });
  const payment = await payer.send({ to: wallet, value: PAID_WEI });
  return { jobId, wallet, payer, attacker, payment, dust };
}

async function nextBlocks(count: bigint): Promise<void> {
  const { chain } = stack.product;
  const last = (await chain.getBlockNumber()) + count;
  await until(
    'further blocks',
    () => chain.getBlockNumber(),
    (height) => height >= last,
  );
}

/** Balances of the parties on the chain. */
async function balances({ wallet, attacker }: Scene) {
  const { chain, stack: described } = stack.product;
  const tokens = { address: described.tokens.both as Address, abi: erc20Abi, functionName: 'balanceOf' } as const;
  return {
    treasuryWei: await chain.getBalance({ address: described.treasury as Address }),
    attackerWei: await chain.getBalance({ address: attacker.address }),
    attackerTokens: await chain.readContract({ ...tokens, args: [attacker.address] }),
    walletWei: await chain.getBalance({ address: wallet }),
    walletNonce: await chain.getTransactionCount({ address: wallet }),
  };
}

describe('with payment-watcher’s NATS user, an attacker who says', { timeout: 180_000 }, () => {
  it.each(LIES)('%s gains nothing and ends no job', async (_what, lieOf) => {
    const { product, running } = stack;
    const scene = await setScene();
    const before = await balances(scene);
    expect(before).toMatchObject({ walletWei: PAID_WEI + 1n, walletNonce: 0 });
    try {
      const { jobId, wallet, payer, payment } = scene;
      const { transactionHash, blockNumber } = payment;
      const truth = { wallet, blockNumber, from: payer.address, transactionHash, amountWei: `${PAID_WEI}` };
      const lie = await claimedDeposit(product.chain, { ...truth, ...lieOf(scene) });
      await publishEvent(await stack.as(WATCHER), paymentReceived, jobId, lie);
      await nextBlocks(BLOCKS_AFTER);
      expect((await product.payment(jobId)).status).toBe('pending_payment');
      expect(await balances(scene)).toEqual(before);
    } finally {
      running.resume(WATCHER);
    }
    // Now the true watcher publishes its finding.
    expect((await product.ended(scene.jobId, { timeoutMs: 120_000 })).status).toBe('completed');
    const { attackerWei, attackerTokens } = before;
    expect(await balances(scene)).toMatchObject({ attackerWei, attackerTokens });
  });
});
