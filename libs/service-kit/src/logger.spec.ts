import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { runWithRequestId } from './request-context.ts';

function capture() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { logger: createLogger('job', 'info', destination), lines };
}

it('keeps secrets out of every line (design § 6)', () => {
  const { logger, lines } = capture();
  const secret = 'canary-secret';
  logger.info(
    { mnemonic: secret, wallet: { privateKey: secret }, req: { headers: { 'x-api-key': secret } } },
    'started',
  );
  expect(lines.join('')).toContain('[redacted]');
  expect(lines.join('')).not.toContain(secret);
});

it('writes the current request id', () => {
  const { logger, lines } = capture();
  runWithRequestId('request-7', () => logger.info('asked'));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'job', requestId: 'request-7', msg: 'asked' });
});
