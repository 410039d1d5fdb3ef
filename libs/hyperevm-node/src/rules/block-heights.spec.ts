import { describe, expect, it } from 'vitest';
import { ignoreStateBlock, readHeight } from './block-heights.ts';
import { RpcError } from './rpc-error.ts';

const RANGE = { head: 100, oldest: 50 };

describe('heights', () => {
  it('above the head are an error with code -32603', () => {
    const read = () => readHeight('0x65', RANGE);
    expect(read).toThrow(new RpcError(-32603, 'invalid block height: 101'));
    expect(readHeight('0x64', RANGE)).toBe(100);
  });

  it('before the kept history are an error', () => {
    expect(() => readHeight('0x31', RANGE)).toThrow('invalid block height: 49');
    expect([readHeight('0x32', RANGE), readHeight('earliest', RANGE)]).toEqual([50, 50]);
  });

  it('by finality tag are the head', () => {
    for (const tag of ['latest', 'safe', 'finalized']) expect(readHeight(tag, RANGE)).toBe(100);
  });

  it('have no pending block', () => {
    expect(() => readHeight('pending', RANGE)).toThrow('pending');
  });

  it('that are no heights are invalid parameters', () => {
    for (const value of ['newest', '12', 12, '0x', undefined, {}]) {
      expect(() => readHeight(value, RANGE)).toThrow(expect.objectContaining({ code: -32602 }));
    }
  });
});

describe('the block of a request for state', () => {
  it('may be any block, above the head too', () => {
    for (const block of ['0xffffff', '0x0', 'earliest', 'pending', undefined, null, { blockNumber: '0x1' }]) {
      expect(() => ignoreStateBlock(block)).not.toThrow();
    }
  });

  it('has to be one', () => {
    for (const block of ['newest', 17, { blockHash: '0x1' }])
      expect(() => ignoreStateBlock(block)).toThrow('invalid params');
  });
});
