import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { networkOf } from '../networks.ts';
import { mustSpareRequests, requestLimits, requestLimitsEnvironment } from './request-limits.ts';

const PUBLIC = 'https://rpc.hyperliquid.xyz/evm';
const PRIVATE = 'https://provider.example/key';
const mainnet = networkOf(999);

function limits(urls: readonly string[], variables: Record<string, string> = {}, usualShare = 100) {
  const environment = z.object(requestLimitsEnvironment).parse(variables);
  const all = requestLimits(mainnet, { CHAIN_RPC_URLS: urls, ...environment }, usualShare);
  return all.map((limit) => limit && (limit.requests * 60_000) / limit.perMs);
}

describe('requestLimits', () => {
  it('knows only the limit of HyperEVM’s public RPC', () => {
    expect(limits([PUBLIC, PRIVATE])).toEqual([100, undefined]);
    expect(networkOf(998).publicRpc).toEqual({ host: 'rpc.hyperliquid-testnet.xyz', requestsPerMinute: 100 });
  });

  it('reads each endpoint’s limit by place, 0 for none', () => {
    expect(limits([PUBLIC, PRIVATE], { CHAIN_RPC_REQUESTS_PER_MINUTE: ', 600' })).toEqual([100, 600]);
    expect(limits([PUBLIC, PRIVATE], { CHAIN_RPC_REQUESTS_PER_MINUTE: '0' })).toEqual([undefined, undefined]);
  });

  it('uses a share of the provider’s limit', () => {
    expect(limits([PUBLIC], {}, 72)).toEqual([72]);
    expect(limits([PUBLIC], { CHAIN_RPC_SHARE_PERCENT: '9' }, 72)).toEqual([9]);
  });

  it('refuses text without a number and surplus limits', () => {
    const parse = (value: string) => () => limits([PUBLIC], { CHAIN_RPC_REQUESTS_PER_MINUTE: value });
    expect(parse('many')).toThrow();
    expect(parse('100,200')).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST_LIMITS' }));
  });
});

describe('mustSpareRequests', () => {
  it('holds below two requests per block', () => {
    expect(mustSpareRequests([{ requests: 72, perMs: 60_000 }], mainnet)).toBe(true);
    expect(mustSpareRequests([{ requests: 120, perMs: 60_000 }], mainnet)).toBe(false);
    expect(mustSpareRequests([{ requests: 72, perMs: 60_000 }, undefined], mainnet)).toBe(false);
  });
});
