import { sign } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SignedCommand, signedTextSchema } from '@maker/contracts';
import { FIRST_HASH, hashOfRow, isSignedBy, readPrivateKey, readPublicKey } from '@maker/signing/commands';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeOperatorKey } from '../keys/product-keys.ts';
import { runOps } from '../run-ops.fixture.ts';
import { signedCommand } from './command-signer.ts';
import { OperatorApi, OperatorApiError } from './operator-api.ts';

const JOB = `job_${'a'.repeat(32)}`;
const KEY = 'the-operators-key';

interface Asked {
  readonly line: string;
  readonly key: string | string[] | undefined;
  readonly body: string;
}

let server: Server;
let apiUrl: string;
let asked: Asked[];
let answer: { readonly status: number; readonly body: string };
let folder: string;
let publicKey: string;
/** Standard input of the command. */
let input: string;

const PAYEE = `0x${'1'.repeat(40)}`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'operator-'));
  ({ publicKey } = (await makeOperatorKey(join(folder, 'anna'))).json);
  await writeFile(join(folder, 'api-key'), `${KEY}\n`);
  await makeOperatorKey(join(folder, 'bob'));
  asked = [];
  input = '';
  answer = { status: 200, body: '{}' };
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ line: `${request.method} ${request.url}`, key: request.headers['x-api-key'], body });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const OPS_CHAIN_ID = '999';

const api = () => ({ OPS_API_URL: apiUrl, OPS_API_KEY_FILE: join(folder, 'api-key') });

async function runIn(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  return (await runOps(args, { environment: { ...api(), ...environment }, input })).output;
}

const run = (...args: string[]) =>
  runIn({ OPS_CHAIN_ID, OPS_OPERATOR: 'anna', OPS_KEY_FILE: join(folder, 'anna') }, ...args);

describe('npm run ops -- webhooks', () => {
  const event = '0f5c2f4e-8f1e-4f8e-9d8e-3b0c3a1f2d4e';
  const at = '2026-01-01T00:00:00.000Z';

  it('lists endpoints, wrapped at a terminal only', async () => {
    const waiting = { waiting: 3, oldestWaitingSince: at, failingSince: at };
    const endpoints = [
      { name: 'shop', host: 'shop.example', since: at, ...waiting },
      { name: 'old', since: at, waiting: 0 },
    ];
    answer = { status: 200, body: JSON.stringify({ endpoints }) };
    const old = `old  removed from the configuration: nothing is sent  events since ${at}  all delivered\n`;
    const shop = `shop  shop.example  events since ${at}  3 waiting, the oldest since ${at}  failing`;
    expect(await run('webhooks', 'list')).toBe(`${shop} since ${at}\n${old}`);
    const { output } = await runOps(['webhooks', 'list'], { environment: api(), isTerminal: true });
    expect(output).toBe(`${shop}\n    since ${at}\n${old}`);
    expect(asked.map(({ line }) => line)).toEqual(['GET /operator/webhooks', 'GET /operator/webhooks']);
  });

  it('prints attempts with control characters escaped', async () => {
    const log = [{ at, outcome: 'refused', status: 500, answer: '\u001b[2Joops\n', tookMs: 7 }];
    const delivery = { endpoint: 'shop', eventId: event, type: 'job.created', jobId: JOB, occurredAt: at };
    const deliveries = [{ ...delivery, state: 'waiting', attempts: 1, nextAttemptAt: at, log }];
    answer = { status: 200, body: JSON.stringify({ deliveries }) };
    const output = await run('webhooks', 'log', '--endpoint', 'shop', '--job', JOB, '--state', 'waiting');
    expect(output).toContain(`attempt 2 at ${at}`);
    expect(output).toContain('refused  500  7 ms  "\\u001b[2Joops\\n"');
    expect(asked[0]?.line).toBe(`GET /operator/webhooks/deliveries?endpoint=shop&jobId=${JOB}&state=waiting`);
  });

  it('resends one message or a period with a reason', async () => {
    answer = { status: 200, body: '{"actionId":"1","outcome":"1 message to shop will be sent again"}' };
    const reason = 'their database was lost';
    await run('webhooks', 'redeliver', 'shop', event, '--reason', reason);
    await run('webhooks', 'redeliver', 'shop', '--since', at, '--reason', reason);
    expect(asked.map(({ line, body }) => [line, JSON.parse(body)])).toEqual([
      ['POST /operator/webhooks/redeliver', { endpoint: 'shop', eventId: event, reason }],
      ['POST /operator/webhooks/redeliver', { endpoint: 'shop', since: at, reason }],
    ]);
  });

  it.each([
    [['redeliver', 'shop']],
    [['redeliver', 'shop', event, '--since', at, '--reason', 'both of them']],
    [['redeliver', 'shop', event]],
    [['forget']],
  ])('rejects %j before any request', async (args) => {
    await expect(run('webhooks', ...args)).rejects.toThrow(
      /missing required argument|--since|--reason|unknown command/,
    );
    expect(asked).toEqual([]);
  });
});

describe('npm run ops', () => {
  const why = ['--reason', 'the customer asked'];
  const reason = '{"reason":"the customer asked"}';

  it.each([
    [['hypercore', 'check', JOB, ...why], `POST /operator/jobs/${JOB}/hypercore/check`, reason],
    [['pause', JOB, ...why], `POST /operator/jobs/${JOB}/pause`, reason],
    [['pause', 'all', ...why], 'POST /operator/pause', reason],
    [['rebroadcast', JOB, ...why], `POST /operator/jobs/${JOB}/rebroadcast`, reason],
  ])('sends the command %j', async (args, line, body) => {
    answer = { status: 200, body: '{"actionId":"1","outcome":"it is done"}' };
    expect(await run(...args)).toBe('it is done\nrecorded as 1\n');
    expect(asked).toEqual([{ line, key: KEY, body }]);
  });

  const job = { paymentAddress: `0x${'2'.repeat(40)}`, walletIndex: 3, returnAddress: `0x${'6'.repeat(40)}` };
  const held = JSON.stringify({ heldWei: '7', job });
  const fromHyperCore = {
    action: 'return_hypercore',
    jobId: JOB,
    walletAddress: job.paymentAddress,
    walletIndex: 3,
    amountWei: '50000000000000000',
  };
  const done = '{"actionId":"1","outcome":"it is done"}';
  it.each([
    [['cancel', JOB], { action: 'cancel', jobId: JOB }],
    [['resume', JOB], { action: 'resume', jobId: JOB }],
    [['resume', 'all'], { action: 'resume_all' }],
    [['return', JOB], { action: 'return', jobId: JOB, amountWei: '7' }],
    [
      ['release', JOB, PAYEE, '--gas-from', PAYEE],
      { action: 'release', jobId: JOB, amountWei: '7', to: PAYEE, gasFrom: PAYEE },
    ],
    [['hypercore', 'return', JOB, '--amount', '0.05'], { ...fromHyperCore, to: job.returnAddress }],
    [['hypercore', 'return', JOB, PAYEE, '--amount', '0.05'], { ...fromHyperCore, to: PAYEE }],
  ])('signs %j for one chain and ten minutes', async (args, said) => {
    answer = { status: 200, body: JSON.stringify({ ...JSON.parse(held), ...JSON.parse(done) }) };
    expect(await run(...args, ...why)).toMatch(/^it is done/);
    const { line, body } = asked.at(-1) as Asked;
    expect(line).toBe('POST /operator/commands');
    const { text, signatures } = JSON.parse(body) as SignedCommand;
    const command = signedTextSchema.parse(JSON.parse(text));
    expect(command).toMatchObject({ ...said, chainId: 999, reason: 'the customer asked' });
    expect(Date.parse(command.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
    expect(signatures.map(({ operator }) => operator)).toEqual(['anna']);
    expect(isSignedBy(text, signatures[0]?.signature ?? '', readPublicKey(publicKey))).toBe(true);
  });

  it.each([
    [['release', JOB, '0x000000000000000000000000000000000000dEaD'], /lost/],
    [['release', JOB, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'], /capital letter/],
    [['release', JOB, PAYEE, '--gas-from', '0x12'], /0x followed by 40/],
    [['hypercore', 'return', JOB, '0x5555555555555555555555555555555555555555', '--amount', '0.05'], /wrapped HYPE/],
  ])('refuses to sign irrecoverable %j', async (args, reason) => {
    answer = { status: 200, body: JSON.stringify({ ...JSON.parse(held), ...JSON.parse(done) }) };
    await expect(run(...args, ...why)).rejects.toThrow(reason);
    expect(asked.every(({ line }) => line.startsWith('GET'))).toBe(true);
  });

  it('names tokens and the wallet of an ended job', async () => {
    const token = `0x${'4'.repeat(40)}`;
    const show = (status: string) => JSON.stringify({ heldWei: '0', job: { ...job, status, tokenAddress: token } });
    answer = { status: 200, body: show('pending_payment') };
    await expect(run('release', JOB, PAYEE, '--tokens', token, ...why)).rejects.toThrow(/has not ended/);
    answer = { status: 200, body: JSON.stringify({ ...JSON.parse(show('payment_expired')), ...JSON.parse(done) }) };
    await run('release', JOB, PAYEE, '--tokens', `${token},${job.paymentAddress}`, ...why);
    const { text } = JSON.parse(asked.at(-1)?.body ?? '') as SignedCommand;
    expect(signedTextSchema.parse(JSON.parse(text))).toMatchObject({
      action: 'release',
      tokens: [token, job.paymentAddress],
      wallet: { address: job.paymentAddress, index: 3, tokenAddress: token },
    });
  });

  it('shows HYPE and tokens that pay for nothing', async () => {
    const foundTokens = [{ tokenAddress: '0x5', amount: '1500000000000000000', symbol: 'WHYPE', decimals: 18 }];
    const shown = { ...job, status: 'payment_expired', flags: {}, receivedWei: '0', paymentAmountWei: '0' };
    const body = { job: { ...shown, hyperCoreWei: '5', foundTokens }, timeline: [] };
    answer = { status: 200, body: JSON.stringify(body) };
    const text = await run('show', JOB);
    expect(text).toContain('HYPE on HyperCore, which pay for nothing');
    expect(text).toContain('1.5 WHYPE (0x5), which pay for nothing');
  });

  /** Signs like `openssl pkeyutl -sign -rawin -inkey <key> | base64`. */
  const signElsewhere = async (operator: string, text: string) => {
    const key = readPrivateKey(await readFile(join(folder, operator), 'utf8'));
    return `${operator}=${sign(null, Buffer.from(text), key).toString('base64')}`;
  };

  it('sends a command that two operators signed elsewhere', async () => {
    answer = { status: 200, body: held };
    input = await run('release', JOB, PAYEE, ...why, '--unsigned');
    expect(input).toMatch(new RegExp(`"to":"${PAYEE}".*}\n$`));
    expect(asked.map(({ line }) => line)).toEqual([expect.stringMatching(/^GET .*reconciliation/)]);
    const signatures = await Promise.all(['anna', 'bob'].map((operator) => signElsewhere(operator, input)));
    answer = { status: 200, body: done };
    expect(await run('give', '--signatures', signatures.join(','))).toMatch(/^it is done/);
    const command = JSON.parse(asked.at(-1)?.body ?? '') as SignedCommand;
    expect(signedTextSchema.parse(JSON.parse(command.text))).toMatchObject({ action: 'release', to: PAYEE });
    expect(command.signatures.map(({ operator }) => operator)).toEqual(['anna', 'bob']);
    expect(isSignedBy(command.text, command.signatures[0]?.signature ?? '', readPublicKey(publicKey))).toBe(true);
  });

  it('prints an unsigned command without any key', async () => {
    const runKeyless = (...args: string[]) => runIn({ OPS_CHAIN_ID }, 'cancel', JOB, ...why, ...args);
    expect(await runKeyless('--unsigned')).toContain('"action":"cancel"');
    await expect(runKeyless()).rejects.toThrow(/add --unsigned/);
    expect(asked).toEqual([]);
  });

  it.each([
    ['{"action":"cancel"}', 'anna=AAAA', /holds no command/],
    ['', 'anna', /holds no command/],
    ['hyperevm-maker-bot operator command 1\n{}\n', 'anna=AAAA', /'anna=AAAA' is not/],
    ['hyperevm-maker-bot operator command 1\n{}\n', 'AAAA', /'AAAA' is not/],
  ])('refuses to send %j signed %s', async (text, signatures, reason) => {
    input = text;
    await expect(run('give', '--signatures', signatures)).rejects.toThrow(reason);
    await expect(run('give')).rejects.toThrow(/--signatures/);
    expect(asked).toEqual([]);
  });

  describe('audit', () => {
    const rowsOf = (count: number) => {
      let previousHash = FIRST_HASH;
      return Array.from({ length: count }, (_, index) => {
        const row = { number: index + 1, at: 'now', text: '{}', signatures: [], outcome: 'done', previousHash };
        previousHash = hashOfRow(row);
        return { ...row, hash: previousHash };
      });
    };
    const check = (rows: readonly object[], ...args: string[]) => {
      answer = { status: 200, body: JSON.stringify({ commands: rows }) };
      return run('audit', ...args);
    };

    it('verifies an intact log and prints its hash', async () => {
      const rows = rowsOf(3);
      expect(await check(rows)).toContain(`3 rows, each as it was written. The newest hash is ${rows[2]?.hash}`);
      expect(await check(rows, '--head', rows[1]?.hash ?? '')).toContain('3 rows');
    });

    it('detects a changed, missing or truncated row', async () => {
      const rows = rowsOf(3);
      await expect(check(rows.with(1, { ...rows[1], outcome: 'x' } as never))).rejects.toThrow(/row 2 is not as/);
      await expect(check(rows.toSpliced(1, 1))).rejects.toThrow(/row 2 is missing/);
      const anew = { ...rows[1], outcome: 'x', hash: hashOfRow({ ...rows[1], outcome: 'x' } as never) };
      await expect(check(rows.with(1, anew as never))).rejects.toThrow(/row 3 does not follow/);
      await expect(check(rows.slice(0, 2), '--head', rows[2]?.hash ?? '')).rejects.toThrow(/no row has the hash/);
    });
  });

  it.each([
    [['list', '--status', 'active'], 'GET /operator/jobs?status=active', '{"jobs":[]}', ''],
    [['log', '--limit', '3'], 'GET /operator/actions?limit=3', '{"actions":[]}', ''],
    [['list', ...why], 'GET /operator/jobs?reason=the+customer+asked', '{"jobs":[]}', ''],
    [['export', ...why], 'GET /operator/jobs.csv?reason=the+customer+asked', 'a,b\r\n', 'a,b\r\n'],
    [['export', JOB, ...why], `GET /operator/jobs/${JOB}/ledger.csv?reason=the+customer+asked`, 'a\r\n', 'a\r\n'],
  ])('queries by %j', async (args, line, body, output) => {
    answer = { status: 200, body };
    expect(await run(...args)).toBe(output);
    expect(asked.map((one) => one.line)).toEqual([line]);
  });

  it.each([
    [['lunch'], /unknown command 'lunch'/],
    [['lst'], /Did you mean list\?/],
    [['constructor'], /unknown command 'constructor'/],
    [['pause', JOB], /--reason/],
    [['export'], /--reason/],
    [['show', JOB, '--reason', ' '], /--reason/],
    [['pause', JOB, '--reason', ' '], /--reason/],
    [['release', JOB, ...why], /missing required argument 'address'/],
    [['hypercore', JOB, ...why], /unknown command/],
    [['hypercore', 'check', JOB, '0x1', ...why], /too many arguments/],
    [['hypercore', 'return', JOB, PAYEE, ...why], /--amount/],
    [['list', '--colour', 'red'], /colour/],
  ])('sends nothing for invalid %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });

  it('passes on the API’s refusal without the key', async () => {
    const body = {
      message: 'Nothing is held for this job',
      error: 'Conflict',
      statusCode: 409,
      code: 'NOT_POSSIBLE_NOW',
    };
    answer = { status: 409, body: JSON.stringify(body) };
    const failure = run('pause', JOB, ...why);
    await expect(failure).rejects.toThrow(OperatorApiError);
    await expect(failure).rejects.toThrow('Nothing is held for this job (409, NOT_POSSIBLE_NOW)');
    await expect(failure).rejects.not.toThrow(KEY);
  });

  it('lets no argument reach another path', async () => {
    answer = { status: 404, body: '{}' };
    await expect(run('show', '../../jobs/create')).rejects.toThrow(OperatorApiError);
    expect(asked[0]?.line).toBe('GET /operator/jobs/..%2F..%2Fjobs%2Fcreate');
  });
});

it('prints the API’s answers as JSON', async () => {
  answer = {
    status: 200,
    body: '{"jobs":[{"jobId":"one","status":"active","createdAt":"now","receivedWei":"1","paymentAmountWei":"2","flags":{}}]}',
  };
  const output = await run('list', '--json');
  expect(output).toBe(`${JSON.stringify(JSON.parse(answer.body).jobs[0])}\n`);
});

it('requires a name, private key file and chain', async () => {
  const sign = (environment: NodeJS.ProcessEnv) =>
    signedCommand({ action: 'cancel', jobId: JOB, reason: 'The payer asked' }, 1000, environment);
  await expect(sign({})).rejects.toThrow(/OPS_OPERATOR and OPS_KEY_FILE/);
  const all = { OPS_OPERATOR: 'Anna!', OPS_KEY_FILE: '/nowhere', OPS_CHAIN_ID: '999' };
  await expect(sign(all)).rejects.toThrow(/not the name of an operator/);
  await expect(sign({ ...all, OPS_OPERATOR: 'anna' })).rejects.toThrow(/operator's key file/);
  const keyFile = join(folder, 'anna');
  await expect(sign({ OPS_OPERATOR: 'anna', OPS_KEY_FILE: keyFile })).rejects.toThrow(/OPS_CHAIN_ID/);
  await expect(makeOperatorKey(keyFile)).rejects.toThrow(/is kept/);
});

it('takes API and key from the environment, both together', async () => {
  await expect(OperatorApi.ofEnvironment({})).rejects.toThrow(/no API is named.*npm start/);
  await expect(OperatorApi.ofEnvironment({ OPS_API_URL: 'http://x' })).rejects.toThrow(/both or none/);
  const missing = OperatorApi.ofEnvironment({ OPS_API_URL: 'http://x', OPS_API_KEY_FILE: '/nowhere/key' });
  await expect(missing).rejects.toThrow(/ENOENT/);
});
