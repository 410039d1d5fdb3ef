import { describe, expect, it } from 'vitest';
import { classifyBroadcastError } from './broadcast-answer.ts';

function nodeError(message: string, code = -32000): Error {
  return Object.assign(new Error('RPC Request failed.'), { cause: Object.assign(new Error(message), { code }) });
}

describe('classifyBroadcastError (design § 5)', () => {
  it.each([
    ['already known', 'known'],
    ['transaction already imported', 'known'],
    ['nonce too low', 'nonce_used'],
    ['nonce too low: next nonce 5, tx nonce 4', 'nonce_used'],
    ['replacement transaction underpriced', 'underpriced'],
    ['max fee per gas less than block base fee', 'underpriced'],
    ['insufficient funds for gas * price + value', 'unfunded'],
    ['Insufficient funds for gas * price + value', 'unfunded'],
    ['intrinsic gas too low', 'refused'],
  ])('reads %j as %s', (message, answer) => {
    expect(classifyBroadcastError(nodeError(message))).toBe(answer);
  });

  it('resends bytes after a lost answer', () => {
    expect(classifyBroadcastError(new Error('fetch failed'))).toBe('unavailable');
    expect(classifyBroadcastError(nodeError('limit exceeded', -32005))).toBe('unavailable');
    expect(classifyBroadcastError(nodeError('internal error', -32603))).toBe('unavailable');
  });

  it('resends bytes after a node without the block', () => {
    expect(classifyBroadcastError(nodeError('header not found'))).toBe('unavailable');
    expect(classifyBroadcastError(nodeError('parse error', -32700))).toBe('unavailable');
  });

  it.each([
    ['execution reverted', 3],
    ['transaction too large', -32000],
    ['method not found', -32601],
  ])('treats %j as a final refusal', (message, code) => {
    expect(classifyBroadcastError(nodeError(message, code))).toBe('refused');
  });

  it('recognises a refusal inside an internal error', () => {
    expect(classifyBroadcastError(nodeError('nonce too low', -32603))).toBe('nonce_used');
    expect(classifyBroadcastError(nodeError('intrinsic gas too low', -32603))).toBe('refused');
  });
});
