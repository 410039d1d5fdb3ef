import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
  parseEventLogs,
} from 'viem';
import { expect, it } from 'vitest';
import { callEncoder, decodeCall, eventReader } from './decode.ts';

const ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);
const [FROM, TO, TOKEN] = ['0x11', '0x22', '0x33'].map((byte) => `0x${byte.slice(2).repeat(20)}` as const);
const VALUE = 2n ** 255n;

function transfer(value = VALUE) {
  return {
    address: TOKEN ?? '0x',
    topics: encodeEventTopics({ abi: ABI, eventName: 'Transfer', args: { from: FROM ?? '0x', to: TO ?? '0x' } }),
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  };
}

it('reads events as viem does', () => {
  const logs = [
    transfer(),
    { ...transfer(), data: '0x' },
    { ...transfer(), topics: ['0xaa'] },
    transfer(1n),
  ] as never[];
  const read = eventReader(ABI)(logs);
  expect(read).toEqual(parseEventLogs({ abi: ABI, logs }));
  expect(read.map(({ args }) => args.value)).toEqual([VALUE, 1n]);
});

it('skips an event of the same name with other topics', () => {
  const ofCollectible = { ...transfer(), topics: [...transfer().topics, `0x${'00'.repeat(32)}`], data: '0x' };
  expect(
    eventReader(ABI)([ofCollectible as never, { ...transfer(), topics: transfer().topics.slice(0, 2) } as never]),
  ).toEqual([]);
});

it('encodes calls as viem does', () => {
  const args = [TO ?? '0x', VALUE] as const;
  expect(callEncoder(ABI, 'transfer')(...args)).toBe(encodeFunctionData({ abi: ABI, functionName: 'transfer', args }));
});

it('decodes calls as viem does', () => {
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [TO ?? '0x', VALUE] });
  expect(decodeCall(ABI, data)).toEqual(decodeFunctionData({ abi: ABI, data }));
  for (const other of ['0x', '0xa9059cbb', '0x12345678', data.slice(0, -2)]) {
    expect(decodeCall(ABI, other as `0x${string}`)).toBeUndefined();
  }
});
