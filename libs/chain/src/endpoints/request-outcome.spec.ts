import { RpcRequestError } from 'viem';
import { expect, it } from 'vitest';
import { outcomeOf, type RpcCall } from './request-outcome.ts';

const DEPLOYLESS: RpcCall = { method: 'eth_call', params: [{ data: '0x00' }, 'latest'] };
const PLAIN: RpcCall = { method: 'eth_call', params: [{ to: `0x${'11'.repeat(20)}`, data: '0x00' }, 'latest'] };

const refusal = (code: number, message: string) =>
  new RpcRequestError({ body: {}, url: 'http://127.0.0.1', error: { code, message } });

it.each<[what: string, error: Error, call: RpcCall, outcome: string]>([
  ['calls without a recipient', refusal(-32_602, 'invalid params: missing field `to`'), DEPLOYLESS, 'refused'],
  [
    'a method that the product does not need',
    refusal(-32_601, 'the method eth_getSystemTxsByBlockNumber does not exist'),
    { method: 'eth_getSystemTxsByBlockNumber' },
    'refused',
  ],
  ['calls of a contract', refusal(-32_602, 'invalid params'), PLAIN, 'error'],
  ['a method that it needs', refusal(-32_601, 'the method does not exist'), { method: 'eth_getBalance' }, 'error'],
])('faults an endpoint without %s only without alternatives', (_, error, call, outcome) => {
  expect(outcomeOf(error, call)).toBe(outcome);
});
