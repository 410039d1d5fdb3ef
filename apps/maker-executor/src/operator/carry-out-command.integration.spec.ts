import { carryOutCommand, listCommands, setPause } from '@maker/contracts';
import { ownArtifacts } from '@maker/local-stack';
import { RequestClient } from '@maker/messaging';
import { inTransaction } from '@maker/persistence';
import { parseHype } from '@maker/rules';
import { FIRST_HASH, hashOfRow } from '@maker/signing/commands';
import type { Address, Hex } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import { MakerDatabase } from '../database.ts';
import { MakerStage, stageForFile } from '../maker-stage.fixture.ts';
import { EVENTUALLY, FAST_CLOCK, RUN_MS, SOON } from '../stage-times.fixture.ts';

const SOME = parseHype('0.1');

const own = stageForFile(FAST_CLOCK);

const ask = () => own.stage.jobs.app.get(RequestClient);

/** Creates a job that never ran, with a held deposit of an unknown sender. */
async function heldJob() {
  const job = await own.stage.unpaidJob(SOME);
  await own.stage.jobs.returnDue(job.jobId, {
    returnId: `${job.jobId}/return`,
    amountWei: SOME.toString(),
    walletAddress: job.wallet,
    walletIndex: job.walletIndex,
    tokenAddress: job.token,
    depositIds: [`${job.jobId}/deposit`],
    to: null,
    activated: false,
    blockNumber: 1,
    holdReason: 'it came from a contract',
  });
  await vi.waitFor(() => expect(own.stage.jobs.returns(job.jobId)).toHaveLength(1), EVENTUALLY);
  return job;
}

async function rows() {
  return (await ask().request(listCommands, { after: 0, limit: 200 })).commands;
}

describe('a command that moves money (design § 6)', () => {
  it('is carried out once, for its signers only', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const job = await heldJob();
    const release = { action: 'release', jobId: job.jobId, to: job.payer, amountWei: SOME.toString() };
    const give = (signed: ReturnType<MakerStage['signed']>) => ask().request(carryOutCommand, signed);
    const whole = own.stage.signed(release);
    const [anna, bob] = whole.signatures;
    const other = own.stage.strangerOf(7);
    const forged = [
      { ...whole, text: whole.text.replace(job.payer, other) },
      { ...whole, signatures: [{ operator: 'anna', signature: 'A'.repeat(86) }] },
      { ...whole, signatures: [{ operator: 'eve', signature: anna?.signature ?? '' }] },
      { ...whole, signatures: [anna, { operator: 'bob', signature: anna?.signature ?? '' }] },
      { ...whole, signatures: [anna, anna] },
    ];
    for (const signed of forged)
      await expect(give(signed as typeof whole)).rejects.toMatchObject({ code: 'COMMAND_REFUSED' });
    await expect(give(own.stage.signed(release, ['anna']))).rejects.toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
    const less = own.stage.signed({ ...release, amountWei: '1' });
    await expect(give(less)).rejects.toMatchObject({ message: expect.stringMatching(/another sum/) });
    expect(await own.stage.balance(job.wallet)).toBe(SOME);
    expect((await rows()).map(({ outcome }) => outcome)).toEqual([
      expect.stringMatching(/^refused: .*second operator/),
      expect.stringMatching(/^refused: .*another sum/),
    ]);

    await give({ text: whole.text, signatures: [bob, anna] as typeof whole.signatures });
    await vi.waitFor(async () => expect(await own.stage.balance(job.wallet)).toBe(0n), EVENTUALLY);
    await expect(give(whole)).rejects.toMatchObject({ code: 'COMMAND_REFUSED' });
  });

  it('moves money again after a pause', { timeout: RUN_MS }, async () => {
    await own.stage.startMaker();
    const { jobId } = await own.stage.paidJob(own.stage.chain.tokens.both);
    await vi.waitFor(() => own.stage.receiptOf({ jobId } as never), SOON);
    await ask().request(setPause, { jobId, operator: 'spec' });
    const raw = { jobId, paused: false, operator: 'spec' };
    await ask().request(setPause, raw as never);
    expect((await own.stage.receiptOf({ jobId } as never)).paused?.reason).toBe('operator');
    expect(await own.stage.command({ action: 'resume', jobId }, ['anna'])).toBe('the job continues');
    await vi.waitFor(async () => expect((await own.stage.receiptOf({ jobId } as never)).paused).toBeUndefined(), SOON);
    await own.stage.jobs.cancel(jobId);
  });

  it('is decided again when the job changed meanwhile', { timeout: RUN_MS }, async () => {
    const maker = await own.stage.startMaker();
    const job = await heldJob();
    const { connection, executions } = maker.get(MakerDatabase);
    // The last check before the command is written.
    const isWallet = vi.spyOn(executions, 'isWallet').mockImplementationOnce(async (address) => {
      const execution = await executions.find(job.jobId);
      if (execution) await inTransaction(connection, (session) => executions.change(execution, {}, session));
      return executions.isWallet(address);
    });
    await own.stage.release(job, { to: job.payer });
    expect(isWallet).toHaveBeenCalledTimes(3);
    await vi.waitFor(async () => expect(await own.stage.balance(job.wallet)).toBe(0n), EVENTUALLY);
  });

  it('chains each log row to the one before', async () => {
    await own.stage.startMaker();
    const all = await vi.waitFor(rows, SOON);
    expect(all.length).toBeGreaterThan(1);
    let previousHash = FIRST_HASH;
    for (const [index, { hash, ...row }] of all.entries()) {
      expect(row).toMatchObject({ number: index + 1, previousHash });
      expect(hashOfRow(row)).toBe(hash);
      previousHash = hash;
    }
  });
});

describe('tokens that are held in a wallet without HYPE (docs/adr/0028)', () => {
  it('uses only gas that an operator sent for it', { timeout: RUN_MS * 2 }, async () => {
    await own.stage.startMaker({ windowSeconds: 200, MAKER_RECONCILE_SECONDS: '1' });
    const { RefusesTransfers } = await ownArtifacts();
    const job = await own.stage.paidJob(own.stage.chain.tokens.both);
    await own.stage.placed(job, 2);
    const code = (await own.stage.client.getCode({ address: job.token })) as Hex;
    await own.stage.client.setCode({ address: job.token, bytecode: RefusesTransfers.deployedBytecode });
    await own.stage.jobs.cancel(job.jobId);
    await own.stage.ended(job);
    await own.stage.client.setCode({ address: job.token, bytecode: code });
    expect(await own.stage.balance(job.wallet)).toBe(0n);
    const held = await own.stage.tokensOf(job, job.wallet);

    await expect(own.stage.release(job, {}, ['anna'])).rejects.toMatchObject({
      message: expect.stringMatching(/needs 0\.001 HYPE.*--gas-from/),
    });
    const operator = own.stage.chain.accounts[0]?.address as Address;
    expect(await own.stage.release(job, { gasFrom: operator }, ['anna'])).toMatch(/send it within an hour/);
    await own.stage.send(job.wallet, parseHype('0.001'));
    await own.stage.mineUntil(async () => expect(await own.stage.tokensOf(job, job.payer)).toBe(held));
    await own.stage.mineUntil(async () => expect(await own.stage.balance(job.wallet)).toBe(0n));
  });
});
