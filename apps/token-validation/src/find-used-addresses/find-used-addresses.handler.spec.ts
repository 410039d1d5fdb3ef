import type { ConnectedChain } from '@maker/chain';
import { createLogger } from '@maker/service-kit';
import { expect, it } from 'vitest';
import { FindUsedAddressesHandler } from './find-used-addresses.handler.ts';

const address = `0x${'1'.repeat(40)}` as const;

const handler = (request: () => Promise<unknown>) =>
  new FindUsedAddressesHandler({ client: { request } } as unknown as ConnectedChain, createLogger('test', 'silent'));

it('lists used addresses', async () => {
  // Block 1, then the offset of the first address behind the program's 55 bytes.
  const known = handler(async () => '0x000000000000000100000037');
  expect(await known.find({ addresses: [address] })).toEqual({ used: [address] });
  expect(await handler(async () => '0x0000000000000001').find({ addresses: [address] })).toEqual({ used: [] });
});

it('fails when the chain does not answer', async () => {
  const failing = handler(async () => Promise.reject(new Error('no answer')));
  await expect(failing.find({ addresses: [address] })).rejects.toMatchObject({
    error: { code: 'SERVICE_UNAVAILABLE' },
  });
});
