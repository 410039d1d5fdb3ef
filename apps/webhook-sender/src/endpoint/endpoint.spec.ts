import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { parseEndpoints, receives, signatureHeaders } from './endpoint.ts';

const secretOf = (letter: string, bytes = 32) => `whsec_${Buffer.alloc(bytes, letter).toString('base64')}`;
const endpoint = { name: 'shop', url: 'https://shop.example/hooks', secrets: [secretOf('a')] };
const parse = (...endpoints: object[]) => parseEndpoints(JSON.stringify(endpoints), false);

describe('the file of endpoints', () => {
  it('names receiver, URL and one or two secrets', () => {
    const [shop] = parse({ ...endpoint, secrets: [secretOf('a'), secretOf('b')] });
    expect(shop?.name).toBe('shop');
    expect(shop?.url.href).toBe('https://shop.example/hooks');
    expect(shop?.secrets).toHaveLength(2);
  });

  it('may be empty', () => {
    expect(parse()).toEqual([]);
  });

  it.each([
    ['a secret of another kind', { secrets: ['hunter2hunter2hunter2'] }, 'whsec_'],
    ['a secret that is short', { secrets: [secretOf('a', 23)] }, '24 to 64 bytes'],
    ['three secrets', { secrets: ['a', 'b', 'c'].map((letter) => secretOf(letter)) }, '/0/secrets'],
    ['no secret', { secrets: [] }, '/0/secrets'],
    ['plain HTTP', { url: 'http://shop.example/hooks' }, 'is not https'],
    ['a password in the URL', { url: 'https://me:hunter2@shop.example' }, 'has a user or a password'],
    ['an invalid URL', { url: 'shop.example' }, 'must be a URL'],
    ['an invalid name', { name: 'Shop!' }, 'must be a name'],
    ['an unknown event', { events: ['order.mind'] }, 'order.mined'],
    ['no event', { events: [] }, '/0/events'],
    ['no key', { keys: [] }, '/0/keys'],
    ['an unknown field', { secret: secretOf('a') }, 'secret'],
  ])('is refused with %s, without revealing it', (_, change, words) => {
    const attempt = () => parse({ ...endpoint, ...change });
    expect(attempt).toThrow(words);
    expect(attempt).toThrow(/^((?!hunter2|shop\.example).)*$/s);
  });

  it('is rejected with duplicate names or invalid JSON', () => {
    expect(() => parse(endpoint, endpoint)).toThrow('two endpoints with the same name');
    expect(() => parseEndpoints('hunter2', false)).toThrow('WEBHOOK_ENDPOINTS_FILE: is not JSON');
  });
});

describe('an endpoint', () => {
  it.each<[string, Parameters<typeof receives>, boolean]>([
    ['every job without keys', [{}, 'job.created', undefined], true],
    ['jobs of its key', [{ keys: ['shop'] }, 'job.created', 'shop'], true],
    ['no job of another key', [{ keys: ['shop'] }, 'job.created', 'other'], false],
    ['no job whose key is unknown', [{ keys: ['shop'] }, 'job.created', undefined], false],
    ['an event that it names', [{ events: ['order.mined'] }, 'order.mined', 'shop'], true],
    ['no event that it does not name', [{ events: ['order.mined'] }, 'job.created', 'shop'], false],
    ['no mined orders unless it names them', [{}, 'order.mined', 'shop'], false],
  ])('receives %s', (_, question, isReceived) => {
    expect(receives(...question)).toBe(isReceived);
  });
});

it('a signature verifies with both rotation secrets', () => {
  const message = { id: 'an-id', body: '{"type":"job.created"}' };
  const headers = signatureHeaders([secretOf('a'), secretOf('b')], message, new Date());
  for (const secret of [secretOf('a'), secretOf('b')]) {
    expect(new Webhook(secret).verify(message.body, headers)).toEqual({ type: 'job.created' });
  }
  expect(() => new Webhook(secretOf('c')).verify(message.body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(secretOf('a')).verify(`${message.body} `, headers)).toThrow('No matching signature');
});
