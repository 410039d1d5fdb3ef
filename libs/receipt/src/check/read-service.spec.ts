import { SERVICE_FILE_PATH } from '@maker/contracts';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { canonicalText } from '../file/content-hash.ts';
import { ACCOMPLICE, honestReceipt, OTHER_KEY, signedBy, TREASURY, WALLET_KEY } from '../honest-receipt.fixture.ts';
import { checkReceipt } from './check-receipt.ts';
import { readService, readServiceUrl, ServiceSilentError } from './read-service.ts';

const url = new URL('https://bot.example.com');
const FILE = {
  chainId: 999,
  periods: [{ treasury: TREASURY, agreementSigners: [ACCOMPLICE], from: null, to: null }],
};

afterEach(() => vi.unstubAllGlobals());

/** Lets the site answer. @returns the addresses that were asked */
function answering(body: string, status = 200): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (input: URL, init: RequestInit) => {
    asked.push(input.href);
    // A redirect would let another host name the service.
    expect(init.redirect).toBe('error');
    return new Response(body, { status });
  });
  return asked;
}

describe('readService', () => {
  it('reads chain, keys and treasury of a site', async () => {
    const asked = answering(JSON.stringify(FILE));
    expect(await readService(new URL('https://bot.example.com/terms'))).toEqual({ host: 'bot.example.com', ...FILE });
    expect(asked).toEqual([`https://bot.example.com${SERVICE_FILE_PATH}`]);
  });

  it('names the off-line identity that signed the file', async () => {
    const account = privateKeyToAccount(OTHER_KEY);
    const address = account.address.toLowerCase();
    const signature = await account.signMessage({ message: canonicalText(FILE) });
    answering(JSON.stringify({ ...FILE, identity: { address, signature } }));
    expect(await readService(url)).toMatchObject({ identity: address });
    answering(JSON.stringify({ ...FILE, chainId: 998, identity: { address, signature } }));
    await expect(readService(url)).rejects.toThrow('its identity did not sign its file');
  });

  it.each([
    ['no file', '', 404, 'answers with status 404'],
    ['a page', '<html>', 200, 'is no file of a service'],
    ['another file', '{"chainId":999}', 200, 'is no file of a service'],
  ])('judges nothing by %s', async (_, body, status, problem) => {
    answering(body, status);
    await expect(readService(url)).rejects.toThrow(ServiceSilentError);
    await expect(readService(url)).rejects.toThrow(problem);
  });

  it('is asked only about a signed receipt', async () => {
    const asked = answering('', 404);
    const { receipt } = honestReceipt(1);
    const checking = async (key: typeof WALLET_KEY) =>
      checkReceipt(await signedBy(key, receipt), { url: new URL('https://rpc.test') }, () => undefined, {
        service: url,
      });
    expect((await checking(OTHER_KEY)).verdict.broken?.rule).toBe('signature');
    expect(asked).toEqual([]);
    await expect(checking(WALLET_KEY)).rejects.toThrow('the service bot.example.com cannot be read');
    expect(asked).toHaveLength(1);
  });
});

it('takes https sites, and stacks on this machine', () => {
  const hostOf = (typed: string) => readServiceUrl(typed)?.host;
  expect(['https://bot.example.com ', 'http://127.0.0.1:4200'].map(hostOf)).toEqual([
    'bot.example.com',
    '127.0.0.1:4200',
  ]);
  expect(['', 'bot.example.com', 'http://bot.example.com', 'ftp://bot'].map(hostOf)).toEqual(Array(4).fill(undefined));
});
