import { RPC_METHODS } from '@maker/chain';
import { expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';

it('counts each called method by name', () => {
  const requests = catalogue().find(({ name }) => name === 'maker_rpc_requests_total');
  const called = RPC_METHODS.map(({ method }) => method);
  expect([...(requests?.labels.method ?? [])].sort()).toEqual([...called, 'other'].sort());
});
