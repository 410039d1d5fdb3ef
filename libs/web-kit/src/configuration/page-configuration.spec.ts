import { describe, expect, it } from 'vitest';
import { ConfigurationError, loadConfiguration, parseConfiguration } from './page-configuration.ts';

const smallest = { apiBaseUrl: 'http://api.test', apiKey: 'key' };
const HYPE = 10n ** 18n;

describe('client configuration', () => {
  it('has the defaults of specification § 3', () => {
    expect(parseConfiguration(smallest)).toMatchObject({
      minimumPaymentWei: HYPE / 4n,
      paymentTimeoutMs: 15 * 60 * 1000,
      appName: 'HyperEVM Maker Bot',
    });
  });

  it.each([0, -1, Number.NaN, '0.25', null])('falls back to 0.01 HYPE for %s', (minimum) => {
    expect(parseConfiguration({ ...smallest, minimumPayment: minimum }).minimumPaymentWei).toBe(HYPE / 100n);
  });

  it('keeps a configured minimum exactly', () => {
    expect(parseConfiguration({ ...smallest, minimumPayment: 0.3 }).minimumPaymentWei).toBe((3n * HYPE) / 10n);
  });

  it('drops trailing slashes, so that paths can be appended', () => {
    const configuration = parseConfiguration({
      ...smallest,
      apiBaseUrl: 'http://api.test/',
      explorerUrl: 'https://explorer.test/',
    });
    expect(configuration.apiBaseUrl).toBe('http://api.test');
    expect(configuration.explorerUrl).toBe('https://explorer.test');
  });

  it('knows networks without an explorer', () => {
    expect(parseConfiguration({ ...smallest, explorerUrl: '' }).explorerUrl).toBe('');
  });

  it('has no links that the operator has not configured', () => {
    expect(parseConfiguration(smallest)).toMatchObject({ socialUrl: '', messagingUrl: '' });
  });

  it('rejects links other than web links', () => {
    expect(parseConfiguration({ ...smallest, socialUrl: 'javascript:alert(1)' }).socialUrl).toBe('');
  });

  it.each([null, 'text', {}, { apiBaseUrl: 'http://api.test' }, { apiKey: 'key' }])('rejects %j', (body) => {
    expect(() => parseConfiguration(body)).toThrow(ConfigurationError);
  });

  it('names the problem of the file', async () => {
    const missing = async () => new Response('', { status: 404 });
    await expect(loadConfiguration(missing)).rejects.toThrow('/config.json answered with status 404');
    const page = async () => new Response('<html>');
    await expect(loadConfiguration(page)).rejects.toThrow('/config.json could not be read');
  });
});
