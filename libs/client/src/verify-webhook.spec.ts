import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const OTHER = `whsec_${btoa('x'.repeat(32))}`;
const AT = new Date('2026-01-01T00:00:00.000Z');
const ID = '4f0c6a0e-5ad3-4f0c-9e6b-1f5f0a0d7c11';
const DATA = { jobId: `job_${'a'.repeat(32)}`, from: 'pending_payment', to: 'active', metadata: { note: 'für dich' } };
const MESSAGE = { type: 'job.status_changed', timestamp: AT.toISOString(), data: DATA };
const BODY = JSON.stringify(MESSAGE);

/** Headers signed by the library of Standard Webhooks. */
const signed = (secret = SECRET, body = BODY) => ({
  'webhook-id': ID,
  'webhook-timestamp': String(AT.getTime() / 1000),
  'webhook-signature': new Webhook(secret).sign(ID, AT, body),
});

const verify = (
  body = BODY,
  headers: Parameters<typeof verifyWebhook>[1] = signed(),
  secrets: string | string[] = SECRET,
) => verifyWebhook(body, headers, secrets, AT.getTime());

describe('a message', () => {
  it.each([
    ['headers of node:http', signed()],
    ['Headers', new Headers(signed())],
    [
      'names in capitals',
      Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value])),
    ],
  ])('is verified by %s', async (_, headers) => {
    expect(await verify(BODY, headers)).toEqual({ id: ID, ...MESSAGE });
  });

  it('is verified by either secret during a rotation', async () => {
    expect(await verify(BODY, signed(), [OTHER, SECRET])).toMatchObject({ id: ID });
    const both = `${signed(OTHER)['webhook-signature']} ${signed()['webhook-signature']}`;
    expect(await verify(BODY, { ...signed(), 'webhook-signature': both })).toMatchObject({ id: ID });
  });

  it.each([
    ['another secret', BODY, signed(OTHER), 'No secret'],
    ['a changed body', BODY.replace('active', 'cancelled'), signed(), 'No secret'],
    ['another id', BODY, { ...signed(), 'webhook-id': 'other' }, 'No secret'],
    ['no base64', BODY, { ...signed(), 'webhook-signature': 'v1,%%' }, 'No secret'],
    [
      'another version',
      BODY,
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1,', 'v2,') },
      'No secret',
    ],
    ['no signature', BODY, { ...signed(), 'webhook-signature': undefined }, 'is missing'],
    ['an invalid time', BODY, { ...signed(), 'webhook-timestamp': 'now' }, 'of the last 5 minutes'],
  ])('is refused with %s', async (_, body, headers, why) => {
    await expect(verify(body, headers)).rejects.toThrow(WebhookVerificationError);
    await expect(verify(body, headers)).rejects.toThrow(why);
  });

  it.each([-301, 301])('is refused %d s from your clock', async (seconds) => {
    const late = verifyWebhook(BODY, signed(), SECRET, AT.getTime() + seconds * 1000);
    await expect(late).rejects.toThrow('of the last 5 minutes');
  });
});

it.each(['', 'secret', 'whsec_', 'whsec_%%'])('refuses the secret %j', async (secret) => {
  await expect(verify(BODY, signed(), secret)).rejects.toThrow('A secret of webhooks is whsec_ and base64');
});
