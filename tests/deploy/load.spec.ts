import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOB_ID } from '../../apps/api-gateway/src/service-answers.fixture.ts';
import { findTool } from '../../tools/go-tool.ts';
import { API_KEY, type GatewayBehindProxies, startGatewayBehindProxies } from './proxies/gateway-behind-proxies.ts';

const execute = promisify(execFile);
const LOAD = fileURLToPath(new URL('../load/', import.meta.url));
/** k6's exit code if a threshold failed. */
const NOT_REACHED = 99;

let k6: string;
let gateway: GatewayBehindProxies;

beforeAll(async () => {
  k6 = await findTool('k6');
  gateway = await startGatewayBehindProxies('https://bot.example');
}, 900_000);

afterAll(() => gateway?.stop());

/** Runs the script against a real gateway. */
function load(environment: Readonly<Record<string, string>>) {
  const given = {
    API_URL: `http://127.0.0.1:${gateway.port}`,
    API_KEY,
    VISITORS: '60',
    DURATION: '3s',
    ...environment,
  };
  const variables = Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const quiet = ['--no-usage-report', '--no-color', '--quiet', '--address', ''];
  return execute(k6, ['run', ...quiet, ...variables, `${LOAD}polled-answers.js`]);
}

describe('the load test of a platform team', () => {
  it('polls like open pages and gets answers', async () => {
    const { stdout } = await load({ JOB_IDS: JOB_ID, MOST_MS: '10000' });
    // In three seconds: six requests for statistics, and eighteen for the payment.
    expect(Number(/http_reqs\.*: (\d+)/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(23);
    expect(stdout).toMatch(/checks_failed\.*: 0\.00%/);
    expect(await gateway.metrics()).toMatch(/route="\/jobs\/:jobId\/payment"/);
  });

  it.each([
    ['an unknown key', { API_KEY: 'another' }],
    ['a job that there is not', { JOB_IDS: `job_${'b'.repeat(32)}` }],
    ['answers that take longer than they may', { MOST_MS: '0.001' }],
  ])('fails for %s', async (_what, environment) => {
    await expect(load(environment)).rejects.toMatchObject({ code: NOT_REACHED });
  });

  it('runs by its page’s command', async () => {
    const page = await readFile(`${LOAD}README.md`, 'utf8');
    expect(page).toContain(`go.k6.io/k6@${k6.slice(k6.lastIndexOf('@') + 1)}`);
    const [, names = ''] = /k6 run (.*) polled-answers\.js/.exec(page) ?? [];
    const script = await readFile(`${LOAD}polled-answers.js`, 'utf8');
    for (const [, name = ''] of names.matchAll(/-e (\w+)=/g)) expect(script).toContain(name);
    for (const [, name = ''] of page.matchAll(/^\| `([A-Z_]+)`/gm)) expect(script).toContain(name);
  });
});
