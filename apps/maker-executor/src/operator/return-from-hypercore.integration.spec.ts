import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listCommands } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { parseHype } from '@maker/rules';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OwnNode, startOwnNode } from '../../../../libs/hyperevm-node/src/own-node.fixture.ts';
import { MakerStage } from '../maker-stage.fixture.ts';
import { EVENTUALLY, RUN_MS } from '../stage-times.fixture.ts';

const SOME = parseHype('0.05');

/** Fault of the connection: none, the action is lost, or its answer is lost. */
type Fault = 'none' | 'lost' | 'answer lost';

let stage: MakerStage;
let node: OwnNode;
let proxy: Server;
let fault: Fault;
/** Actions as they were posted, byte by byte. */
let posted: string[];

beforeAll(async () => {
  [stage, node] = await Promise.all([MakerStage.start(), startOwnNode()]);
  proxy = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const isAction = request.url === '/exchange';
    if (isAction) posted.push(body);
    if (isAction && fault === 'lost') return response.destroy();
    const answer = await fetch(`${node.rpcUrl}${request.url}`, { method: 'POST', body });
    if (isAction && fault === 'answer lost') return response.destroy();
    return response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
}, RUN_MS);

beforeEach(async () => {
  fault = 'none';
  posted = [];
  await stage.startMaker({ HYPERCORE_API_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
});

afterEach(() => stage.stopMakers());

afterAll(async () => {
  await new Promise((resolve) => proxy?.close(resolve));
  await Promise.all([stage?.stop(), node?.stop()]);
});

/** Creates an unpaid job that received HYPE on HyperCore, and the command that returns it. */
async function mistaken(to = stage.strangerOf(1)) {
  const { jobId, wallet, walletIndex } = await stage.unpaidJob(0n);
  await node.control.core.credit(wallet, SOME);
  const command = { jobId, to, walletAddress: wallet, walletIndex, amountWei: SOME.toString() };
  return { wallet, command: { action: 'return_hypercore', ...command } };
}

const outcomes = async () => {
  const { commands } = await stage.jobs.app.get(RequestClient).request(listCommands, { after: 0, limit: 200 });
  return commands.map(({ outcome }) => outcome);
};

describe('return of HYPE on HyperCore by a signed command (design § 6, docs/adr/0030)', {
  timeout: RUN_MS,
}, () => {
  it('needs two operators for an address off record', async () => {
    const { wallet, command } = await mistaken();
    const before = await node.control.core.balanceWei(command.to);
    await expect(stage.command(command, ['anna'])).rejects.toThrow(/second operator/);
    await expect(stage.command({ ...command, amountWei: '1' })).rejects.toThrow(/another sum/);
    const other = await stage.unpaidJob(0n);
    await expect(stage.command({ ...command, walletAddress: other.wallet })).rejects.toThrow(/not one of this seed/);
    await expect(stage.command({ ...command, to: wallet })).rejects.toThrow(/own wallet/);
    await expect(stage.command({ ...command, to: stage.treasury })).rejects.toThrow(/service's own wallet/);
    expect(posted).toEqual([]);
    const signed = stage.signed(command);
    expect(await stage.give(signed)).toMatch(/^0\.05 HYPE went on HyperCore/);
    await expect(stage.give(signed)).rejects.toMatchObject({ code: 'COMMAND_REFUSED' });
    expect(posted).toHaveLength(1);
    expect(await node.control.core.balanceWei(wallet)).toBe(0n);
    expect((await node.control.core.balanceWei(command.to)) - before).toBe(SOME);
    expect((await outcomes()).slice(-4)).toEqual([
      expect.stringMatching(/^refused: .*not one of this seed/),
      expect.stringMatching(/^refused: .*own wallet/),
      expect.stringMatching(/^refused: .*service's own wallet/),
      expect.stringMatching(/^0\.05 HYPE are sent on HyperCore/),
    ]);
  });

  it('needs one operator for the payer on record', async () => {
    const paid = await stage.paidJob(stage.chain.tokens.both);
    await vi.waitFor(() => stage.receiptOf(paid), EVENTUALLY);
    await stage.jobs.cancel(paid.jobId);
    await node.control.core.credit(paid.wallet, SOME);
    const { command: other } = await mistaken(paid.payer);
    await expect(stage.command({ ...other, jobId: paid.jobId }, ['anna'])).rejects.toThrow(/not the job's wallet/);
    const walletIndex = other.walletIndex - 1;
    const own = { ...other, jobId: paid.jobId, walletAddress: paid.wallet, walletIndex };
    expect(await stage.command(own, ['anna'])).toMatch(/went on HyperCore/);
    expect(await node.control.core.balanceWei(paid.payer)).toBe(SOME);
  });

  it('reposts the same bytes after no answer', async () => {
    const { wallet, command } = await mistaken();
    fault = 'lost';
    await expect(stage.command(command)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    fault = 'none';
    await expect(stage.command({ ...command, to: stage.strangerOf(2) })).rejects.toThrow(/order that one again/);
    expect(await stage.command(command)).toMatch(/went on HyperCore/);
    expect(posted).toHaveLength(2);
    expect(posted[1]).toBe(posted[0]);
    expect(await node.control.core.balanceWei(wallet)).toBe(0n);
  });

  it('moves money once and reports a refusal', async () => {
    const { wallet, command } = await mistaken(stage.strangerOf(3));
    fault = 'answer lost';
    await expect(stage.command(command)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await node.control.core.credit(wallet, SOME);
    fault = 'none';
    await expect(stage.command(command)).rejects.toThrow(/HyperCore refused it: .*nonce.*check the balance there/);
    expect(posted[1]).toBe(posted[0]);
    expect(await node.control.core.balanceWei(command.to)).toBe(SOME);
    // HYPE that came later is a new sum, and the refused action blocks no other.
    expect(await stage.command(command)).toMatch(/went on HyperCore/);
    expect(await node.control.core.balanceWei(command.to)).toBe(2n * SOME);
  });
});
