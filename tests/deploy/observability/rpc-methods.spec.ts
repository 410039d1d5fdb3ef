import { RPC_METHODS } from '@maker/chain';
import { expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';

it('each method that the product calls is counted by its name: "other" would hide which one fails', () => {
  const requests = catalogue().find(({ name }) => name === 'maker_rpc_requests_total');
  const called = RPC_METHODS.map(({ method }) => method);
  expect([...(requests?.labels.method ?? [])].sort()).toEqual([...called, 'other'].sort());
});
