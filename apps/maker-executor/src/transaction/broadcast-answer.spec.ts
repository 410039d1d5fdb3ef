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

  it('knows nothing of bytes whose answer was lost: they are sent again', () => {
    expect(classifyBroadcastError(new Error('fetch failed'))).toBe('unavailable');
    expect(classifyBroadcastError(nodeError('limit exceeded', -32005))).toBe('unavailable');
    expect(classifyBroadcastError(nodeError('internal error', -32603))).toBe('unavailable');
  });

  it('sends bytes again that a node without their block, or without JSON-RPC, was given', () => {
    expect(classifyBroadcastError(nodeError('header not found'))).toBe('unavailable');
    expect(classifyBroadcastError(nodeError('parse error', -32700))).toBe('unavailable');
  });

  it.each([
    ['execution reverted', 3],
    ['transaction too large', -32000],
    ['method not found', -32601],
  ])('takes %j for a refusal: the same bytes would be refused again', (message, code) => {
    expect(classifyBroadcastError(nodeError(message, code))).toBe('refused');
  });

  it('knows a refusal that comes as an internal error, as all of HyperEVM do (hyperevm § 1.2)', () => {
    expect(classifyBroadcastError(nodeError('nonce too low', -32603))).toBe('nonce_used');
    expect(classifyBroadcastError(nodeError('intrinsic gas too low', -32603))).toBe('refused');
  });
});
