import { erc20Abi } from '@maker/chain';
import { parseHype } from '@maker/rules';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { type MakerStage, stageForFile } from '../maker-stage.fixture.ts';
import { FAST_CLOCK, RUN_MS } from '../stage-times.fixture.ts';

const SOME = parseHype('0.3');
const DEPOSIT = parseHype('0.18');

type ReleaseArguments = Parameters<MakerStage['release']> extends [unknown, ...infer Others] ? Others : never;

const own = stageForFile(FAST_CLOCK);

const operator = () => own.stage.chain.accounts[0]?.address as Address;
const whype = () => own.stage.chain.contracts.whype;

/** Sends WHYPE to a wallet, instead of HYPE. */
async function sendWrapped(to: Address): Promise<void> {
  const data = encodeFunctionData({ abi: parseAbi(['function deposit() payable']) });
  await own.stage.sendAs(operator(), { to: whype(), value: SOME, data });
  await sendTokens(whype(), to);
}

async function sendTokens(token: Address, to: Address): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, SOME] });
  await own.stage.sendAs(operator(), { to: token, data });
}

const balanceOf = (token: Address, owner: Address) =>
  own.stage.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });

describe('return of tokens sent by mistake by a signed command (docs/adr/0093)', {
  timeout: RUN_MS,
}, () => {
  it('empties the wallet of an unpaid job', async () => {
    await own.stage.startMaker();
    const { jobId, wallet, walletIndex, token } = await own.stage.unpaidJob(0n);
    await sendWrapped(wallet);
    await sendTokens(token, wallet);
    const to = own.stage.strangerOf(1);
    const fields = {
      to,
      tokens: [whype(), token],
      wallet: { address: wallet, index: walletIndex, tokenAddress: token },
    };
    const release = (...[more, by]: ReleaseArguments) => own.stage.release({ jobId, wallet }, more, by);
    await expect(release({ ...fields, gasFrom: operator() }, ['anna'])).rejects.toThrow(/second operator/);
    await expect(release(fields)).rejects.toThrow(/needs 0\.002 HYPE.*--gas-from/);
    const foreign = { ...fields, wallet: { ...fields.wallet, index: walletIndex + 1 }, gasFrom: operator() };
    await expect(release(foreign)).rejects.toThrow(/not one of this seed/);
    expect(await release({ ...fields, gasFrom: operator() })).toMatch(/send it within an hour/);
    await own.stage.send(wallet, parseHype('0.002'));
    await own.stage.mineUntil(async () => {
      expect(await balanceOf(whype(), to)).toBe(SOME);
      expect(await balanceOf(token, to)).toBe(SOME);
      expect(await own.stage.balance(wallet)).toBe(0n);
    });
    expect([await balanceOf(whype(), wallet), await balanceOf(token, wallet)]).toEqual([0n, 0n]);
  });

  it('is refused while the job waits for payment', async () => {
    await own.stage.startMaker();
    const waiting = await own.stage.unpaidJob(0n);
    const ended = await own.stage.unpaidJob(0n);
    await sendTokens(waiting.token, waiting.wallet);
    own.stage.jobs.explanations.unpaid.set(waiting.jobId, {
      status: 'pending_payment',
      paymentAddress: waiting.wallet.toLowerCase(),
    });
    const fields = {
      ...{ to: own.stage.strangerOf(2), tokens: [waiting.token], gasFrom: operator() },
      wallet: { address: waiting.wallet, index: waiting.walletIndex, tokenAddress: waiting.token },
    };
    await expect(own.stage.release(waiting, fields)).rejects.toThrow(/has not ended/);
    await expect(own.stage.release({ ...ended, wallet: waiting.wallet }, fields)).rejects.toThrow(/not the wallet/);
    own.stage.jobs.explanations.unpaid.delete(ended.jobId);
    await expect(own.stage.release(ended, fields)).rejects.toThrow(/No job/);
    await own.stage.send(waiting.wallet, DEPOSIT);
    await own.stage.jobs.activate(waiting.jobId, {
      ...{ tokenAddress: waiting.token, walletAddress: waiting.wallet, walletIndex: waiting.walletIndex },
      ...{ depositWei: `${DEPOSIT}`, returnAddress: waiting.payer, plan: await own.stage.plan() },
    });
    expect(await own.stage.ended({ ...waiting, depositWei: DEPOSIT })).toMatchObject({ kind: 'completed' });
    expect(await balanceOf(waiting.token, waiting.payer)).toBeGreaterThan(SOME);
  });

  it('goes to the payer on record after the end', async () => {
    await own.stage.startMaker({ windowSeconds: 100 });
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    await own.stage.placed(job, 2);
    await sendWrapped(job.wallet);
    await expect(own.stage.release(job, { tokens: [whype()] }, ['anna'])).rejects.toThrow(/still at work/);
    await own.stage.jobs.cancel(job.jobId);
    await own.stage.ended(job);
    const bought = await balanceOf(job.token, job.payer);
    expect(bought).toBeGreaterThan(0n);
    await own.stage.release(job, { tokens: [whype()], gasFrom: operator() }, ['anna']);
    await own.stage.send(job.wallet, parseHype('0.001'));
    await own.stage.mineUntil(async () => {
      expect(await balanceOf(whype(), job.payer)).toBe(SOME);
      expect(await own.stage.balance(job.wallet)).toBe(0n);
    });
    expect(await balanceOf(job.token, job.payer)).toBe(bought);
  });
});
