import { createLogger } from '@maker/service-kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { ChainReach } from './chain-reach.ts';

const START = Date.parse('2026-11-28T12:00:00Z');

let wallMs: number;
let steadyMs: number;
let reach: ChainReach;

const passes = (ms: number) => {
  wallMs += ms;
  steadyMs += ms;
};

beforeEach(() => {
  wallMs = START;
  steadyMs = 1000;
  const logger = createLogger('payment-watcher', 'silent');
  reach = new ChainReach({ publish: () => undefined }, { now: () => wallMs }, { now: () => steadyMs }, logger);
});

describe('what the watcher tells of the chain', () => {
  it('says since when no endpoint answers', () => {
    reach.requested('ok', 5);
    expect(reach.message()).toEqual({});
    passes(2000);
    reach.requested('timeout', 2000);
    expect(reach.message()).toEqual({});
    passes(20_000);
    reach.requested('error', 1);
    expect(reach.message()).toEqual({ unreachableSince: new Date(START).toISOString() });
    reach.requested('reverted', 5);
    expect(reach.message()).toEqual({});
  });

  it('is not misled by a stepped clock', () => {
    reach.requested('error', 0);
    wallMs += 7_200_000;
    expect(reach.message()).toEqual({});
    passes(20_000);
    reach.requested('error', 0);
    expect(reach.message()).toEqual({ unreachableSince: new Date(START).toISOString() });
  });

  it('says nothing while the replica stands by', () => {
    expect(reach.message()).toBeUndefined();
    reach.requested('error', 0);
    passes(60_000);
    expect(reach.message()).toBeUndefined();
  });
});
