import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCOUNT_INDEX, ALL_SERVICES, CHAIN_MNEMONIC, demoAccount } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { accountXpub } from '@maker/signing/private';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startsWith } from './service-environments.ts';

interface Service {
  environment: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  build?: { args?: Record<string, string> };
}

let services: Record<string, Service>;

beforeAll(async () => {
  const text = await readFile(join(WORKSPACE_ROOT, 'docker', 'compose.yaml'), 'utf8');
  services = parse(text, { merge: true }).services;
});

describe.each([...ALL_SERVICES, 'site'])('%s in docker/compose.yaml', (name) => {
  it('has an environment that it starts with', () => {
    expect(() => startsWith(name, services[name]?.environment ?? {})).not.toThrow();
  });

  it('runs read-only without capabilities', () => {
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    if (name !== 'site') expect(services[name]?.build?.args).toEqual({ SERVICE: name });
  });
});

describe('docker/compose.yaml', () => {
  it('uses the account of its chainâs phrase', () => {
    expect(services.job?.environment.JOB_ACCOUNT_XPUB).toBe(accountXpub(CHAIN_MNEMONIC));
    const treasury = demoAccount(ACCOUNT_INDEX.treasury).address;
    expect(services['maker-executor']?.environment.TREASURY_ADDRESS).toBe(treasury);
  });

  it('ends jobs in a minute', () => {
    expect(startsWith('job', services.job?.environment ?? {})).toMatchObject({
      JOB_EXECUTION_WINDOW_SECONDS: 75,
      JOB_BLOCK_SHARE_BPS: 10_000,
    });
  });

  it('uses the chain’s own node for HyperCore', () => {
    const chain = services['demo-chain'] as Service & { ports: string[] };
    for (const name of ['payment-watcher', 'maker-executor']) {
      const { CHAIN_RPC_URLS, HYPERCORE_API_URL } = services[name]?.environment ?? {};
      expect(HYPERCORE_API_URL).toBe(CHAIN_RPC_URLS);
    }
    expect(chain.ports).toEqual(['127.0.0.1:8545:8545']);
  });

  it('scrapes every service and shows the dashboards', async () => {
    const prometheus = parse(await readFile(join(WORKSPACE_ROOT, 'docker/prometheus/prometheus.yml'), 'utf8'));
    const jobs = prometheus.scrape_configs.map(({ job_name }: { job_name: string }) => job_name);
    expect(jobs.sort()).toEqual([...ALL_SERVICES, 'site'].sort());
    expect(JSON.stringify(services)).toContain('../charts/hyperevm-maker-bot/dashboards:/var/lib/grafana/dashboards');
  });
});
