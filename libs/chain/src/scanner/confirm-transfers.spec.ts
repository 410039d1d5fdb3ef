import type { Address, Hash } from 'viem';
import { describe, expect, it } from 'vitest';
import { Hosts } from '../agreement/hosts.ts';
import type { ChainClient } from '../client.ts';
import { confirmTransfers } from './confirm-transfers.ts';

const HASH: Hash = `0x${'01'.repeat(32)}`;
const BLOCK = { number: 7, hash: `0x${'02'.repeat(32)}` as Hash };
const TO: Address = `0x${'aa'.repeat(20)}`;
const TRANSFER = { transactionHash: HASH, from: TO, to: TO, amountWei: 5n };

type Shown = 'success' | 'reverted' | 'nothing' | 'down';

/** Asks hosts with these answers. */
async function confirmationOf(shown: readonly Shown[], trustsSingle = false) {
  const hosts = shown.map((one, index) => ({
    origin: `host-${index}`,
    async request() {
      if (one === 'down') throw new Error('no answer');
      const status = one === 'success' ? '0x1' : '0x0';
      return one === 'nothing' ? null : { transactionHash: HASH, status, blockHash: BLOCK.hash, blockNumber: '0x7' };
    },
  }));
  const client = { transport: { hostCount: hosts.length, hosts: () => hosts } } as unknown as ChainClient;
  return (await confirmTransfers(new Hosts(client, trustsSingle), [TRANSFER], BLOCK)).get(HASH);
}

describe('a transfer in a block (docs/adr/0054)', () => {
  it.each([
    [['success', 'success'], 'confirmed'],
    [['nothing', 'success', 'success'], 'confirmed'],
    [['success', 'nothing'], 'contradicted'],
    [['success', 'reverted'], 'contradicted'],
    [['success', 'down'], 'unanswered'],
    [['down', 'down'], 'unanswered'],
  ] as const)('shown as %j is %s', async (shown, confirmation) => {
    expect(await confirmationOf(shown)).toBe(confirmation);
  });

  it('is not credited where the only trusted host denies it', async () => {
    expect(await confirmationOf(['nothing', 'down'], true)).toBe('contradicted');
    expect(await confirmationOf(['success', 'down'], true)).toBe('confirmed');
  });
});
