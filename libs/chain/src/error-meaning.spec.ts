import { HttpRequestError, InternalRpcError, RpcRequestError, TimeoutError } from 'viem';
import { describe, expect, it } from 'vitest';
import { type ErrorMeaning, isAnswer, meaningOf, speaksAgainstEndpoint } from './error-meaning.ts';

const URL = 'http://127.0.0.1:1';

/** An error that viem's transport throws. */
function answered(code: number, message: string): Error {
  return new RpcRequestError({ body: { method: 'eth_call', params: [] }, error: { code, message }, url: URL });
}

const ANSWERS: readonly (readonly [number, string, ErrorMeaning])[] = [
  [-32_603, 'invalid block height: 4711', 'not_there'],
  [-32_000, 'header not found', 'not_there'],
  [-32_000, 'block 0x1267 is not available, history is pruned', 'not_there'],
  [-32_001, 'resource not found', 'not_there'],
  [3, 'execution reverted: ERC20: transfer amount exceeds balance', 'reverted'],
  [-32_603, 'execution reverted', 'reverted'],
  [-32_603, 'EVM error InvalidFEOpcode', 'reverted'],
  [-32_603, 'already known', 'known'],
  [-32_603, 'nonce too low: next nonce 5, tx nonce 4', 'nonce_used'],
  [-32_000, 'replacement transaction underpriced', 'underpriced'],
  [-32_603, 'max fee per gas less than block base fee', 'underpriced'],
  [-32_603, 'insufficient funds for gas * price + value: have 1 want 2', 'unfunded'],
  [-32_603, 'intrinsic gas too low', 'refused'],
  [-32_000, 'out of gas: gas required exceeds: 30000000', 'too_large'],
  [-32_603, 'EVM error OutOfGas', 'too_large'],
  [-32_603, 'EVM error MemoryOOG', 'too_large'],
  [-32_000, 'max initcode size exceeded', 'too_large'],
  [-32_602, 'invalid params: missing field `to`', 'unsupported'],
  [-32_601, 'the method eth_bla does not exist/is not available', 'unsupported'],
  [-32_000, 'no', 'refused'],
  [-32_005, 'limit exceeded', 'limited'],
  [-32_603, 'rate limited: 100 a minute', 'limited'],
  [-32_603, 'internal error', 'unclear'],
  [-32_002, 'resource unavailable', 'passing'],
  [-32_603, 'nonce too high', 'unclear'],
  [-32_700, 'parse error', 'broken'],
];

describe('meaningOf (hyperevm § 1.2)', () => {
  it.each(ANSWERS)('reads %i %j as %s', (code, message, meaning) => {
    expect(meaningOf(answered(code, message))).toBe(meaning);
  });

  it.each(ANSWERS)('reads %i %j inside wrapper errors', (code, message, meaning) => {
    expect(meaningOf(new Error('Could not read', { cause: new InternalRpcError(answered(code, message)) }))).toBe(
      meaning,
    );
  });

  it.each([
    [400, 'refused'],
    [413, 'too_large'],
    [403, 'broken'],
    [404, 'broken'],
    [502, 'passing'],
  ] as const)('reads status %i as %s', (status, meaning) => {
    expect(meaningOf(new HttpRequestError({ url: URL, status, details: 'already known' }))).toBe(meaning);
  });

  it('treats silence and unknown errors as passing', () => {
    expect(meaningOf(new TimeoutError({ body: {}, url: URL }))).toBe('passing');
    expect(meaningOf(new TypeError('fetch failed'))).toBe('passing');
    expect(meaningOf('what')).toBe('passing');
  });
});

describe('speaksAgainstEndpoint', () => {
  it('is never an answer with any code', () => {
    for (const [code, message] of ANSWERS) {
      const meaning = meaningOf(answered(code, message));
      if (isAnswer(meaning)) expect(speaksAgainstEndpoint(meaning, 'eth_getBlockByNumber')).toBe(false);
    }
  });

  it('is not -32603 alone about a possible request', () => {
    expect(speaksAgainstEndpoint('unclear', 'eth_sendRawTransaction')).toBe(false);
    expect(speaksAgainstEndpoint('unclear', 'eth_call')).toBe(false);
    expect(speaksAgainstEndpoint('unclear', 'eth_blockNumber')).toBe(true);
  });
});
