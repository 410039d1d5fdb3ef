import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as contracts from '@maker/contracts';
import { ALL_SERVICES } from '@maker/local-stack';
import { describe, expect, it } from 'vitest';
import { covers } from './subject.ts';

const users = readFileSync(fileURLToPath(new URL('../../k8s/nats/users.conf', import.meta.url)), 'utf8');

/** What a user may do, read from the server's configuration. */
function permissionsOf(service: string): { publish: string[]; subscribe: string[] } {
  const [, block = ''] = users.split(`user: ${service},`);
  const [own = ''] = block.split('user:');
  const list = (kind: string): string[] => {
    const [, allowed = ''] = new RegExp(`${kind}\\s*\\{\\s*allow:\\s*\\[([^\\]]*)\\]`).exec(own) ?? [];
    return [...allowed.matchAll(/"([^"]+)"/g)].map(([, subject]) => subject ?? '');
  };
  return { publish: list('publish'), subscribe: list('subscribe') };
}

/** Services whose list of one kind has a pattern for the subject. */
function allowed(kind: 'publish' | 'subscribe', subject: string): string[] {
  return ALL_SERVICES.filter((service) => permissionsOf(service)[kind].some((pattern) => covers(pattern, subject)));
}

/** Types of every event of the contracts. */
const EVENT_TYPES = Object.values(contracts).flatMap((value) =>
  value && typeof value === 'object' && 'type' in value && 'version' in value && 'data' in value
    ? [String(value.type)]
    : [],
);

describe('the users of k8s/nats', () => {
  it.each(contracts.REQUEST_SUBJECTS)('answer %s in one service, ask in one', (subject) => {
    expect(allowed('subscribe', subject)).toHaveLength(1);
    expect(allowed('publish', subject).length).toBeGreaterThan(0);
  });

  it.each(EVENT_TYPES)('publish %s in one service', (type) => {
    expect(allowed('publish', `events.${type}`)).toHaveLength(1);
  });

  it('let job publish changes to the gateway', () => {
    expect(allowed('publish', contracts.JOB_CHANGES_SUBJECT)).toEqual(['job']);
    expect(allowed('subscribe', contracts.JOB_CHANGES_SUBJECT)).toEqual(['api-gateway']);
  });

  it('hold dead letters of each service', () => {
    for (const service of contracts.EVENT_SOURCES) {
      expect(allowed('publish', `dead.${service}.job.created`)).toEqual([service]);
    }
  });

  it('keep every service’s answers to itself', () => {
    for (const service of ALL_SERVICES) expect(allowed('subscribe', `_INBOX.${service}.x`)).toEqual([service]);
  });
});
