import { RPC_METHODS } from '@maker/chain';
import { numberToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { EndpointAnswers } from '../gather/endpoint-answers.ts';
import type { Answer, Reply } from '../request/answer.ts';
import { judgeEndpoint } from './judge-endpoint.ts';

const AT_MS = 1_790_000_000_000;
const HASH = `0x${'ab'.repeat(32)}`;

const answer = (reply: Reply): Answer => ({ ...reply, atMs: AT_MS, ms: 30 });
const result = (value: unknown) => answer({ result: value });
const error = (code: number, message: string) => answer({ error: { code, message } });
const word = (value: number) => result(numberToHex(value, { size: 32 }));
const block = (number: number, more: object = {}) =>
  result({
    number: numberToHex(number),
    hash: HASH,
    timestamp: numberToHex(AT_MS / 1000 - 1),
    gasLimit: numberToHex(3_000_000),
    baseFeePerGas: numberToHex(100_000_000),
    transactions: [],
    ...more,
  });

const SAMPLES: Readonly<Record<string, unknown>> = { eth_getSystemTxsByBlockNumber: [], eth_getBlockReceipts: [] };

/** Answers of the public endpoint on a quiet day. Source: hyperevm §§ 1, 1.2. */
function quiet(): EndpointAnswers & { methods: Map<string, Answer> } {
  return {
    latest: block(20_000_000),
    methods: new Map(RPC_METHODS.map(({ method }) => [method, result(SAMPLES[method] ?? '0x01')])),
    aboveHead: error(-32_603, 'invalid block height: 20010000'),
    dayAgo: block(19_913_600),
    hourAgo: block(19_996_400),
    callGas: word(29_900_000),
    callBlock: word(20_000_000),
    poll: { addressesPerCall: 2453 },
    full: block(20_000_000),
    receipts: result([]),
    headers: [block(19_999_990), block(19_999_991, { gasLimit: numberToHex(30_000_000) })],
  };
}

const notWell = (answers: EndpointAnswers) =>
  judgeEndpoint(answers).flatMap(({ verdict, what }) => (verdict === 'ok' ? [] : [`${verdict} ${what}`]));

describe('the answers of real endpoints', () => {
  it('pass on a quiet day', () => {
    expect(notWell(quiet())).toEqual([]);
  });

  it.each<[what: string, change: Partial<EndpointAnswers>, expected: string[]]>([
    ['null above the head', { aboveHead: result(null) }, []],
    [
      'an unspecific -32603 above the head',
      { aboveHead: error(-32_603, 'internal error') },
      ['fail block above the head'],
    ],
    [
      'calls without recipient refused',
      { callGas: error(-32_602, 'missing field `to`'), poll: { addressesPerCall: 500 } },
      ['weak call without recipient', 'weak poll of balances'],
    ],
    ['14 days of blocks', { dayAgo: block(19_913_600) }, []],
    [
      'no old blocks',
      { dayAgo: error(-32_603, 'invalid block height: 19913600'), hourAgo: result(null) },
      ['weak kept blocks'],
    ],
    [
      'a base fee of 80 gwei, as in peaks',
      { latest: block(20_000_000, { baseFeePerGas: numberToHex(80_000_000_000) }) },
      ['weak newest block'],
    ],
    ['a call that shows the state of another node', { callBlock: word(19_999_998) }, []],
    [
      'system transactions in blocks',
      {
        full: block(20_000_000, { transactions: [{ hash: HASH, from: `0x${'2'.repeat(40)}`, gasPrice: '0x0' }] }),
        receipts: result([{ transactionHash: HASH, blockHash: HASH, status: '0x1' }]),
      },
      [],
    ],
  ])('judges %s', (_, change, expected) => {
    expect(notWell({ ...quiet(), ...change })).toEqual(expected);
  });

  it.each([
    error(-32_603, 'failed to decode signed transaction'),
    error(-32_602, 'invalid params'),
    error(-32_000, 'rlp: too short'),
  ])('accepts a method that refuses: $error.message', (refusal) => {
    const answers = quiet();
    answers.methods.set('eth_sendRawTransaction', refusal);
    expect(notWell(answers)).toEqual([]);
    answers.methods.set('eth_sendRawTransaction', error(-32_601, 'Method not found'));
    expect(notWell(answers)).toEqual(['fail eth_sendRawTransaction']);
  });
});
