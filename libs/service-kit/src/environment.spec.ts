import { expect, it } from 'vitest';
import { z } from 'zod';
import { commaList, commonEnvironment, parseConfiguration } from './environment.ts';

const schema = z.object({ ...commonEnvironment, NATS_URL: commaList, MAKER_SECRET: z.string().min(20) });

function problems(environment: NodeJS.ProcessEnv): string {
  try {
    parseConfiguration(schema, environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}

it('names each missing variable', () => {
  const message = problems({});
  expect(message).toContain('OPS_PORT is missing');
  expect(message).toContain('NATS_URL is missing');
});

it('treats an empty variable as missing', () => {
  expect(problems({ OPS_PORT: '', NATS_URL: 'a', MAKER_SECRET: 'x'.repeat(20) })).toContain('OPS_PORT is missing');
});

it('never prints a wrong variable’s value', () => {
  const message = problems({ OPS_PORT: '1', NATS_URL: 'a', MAKER_SECRET: 'hunter2' });
  expect(message).toContain('MAKER_SECRET');
  expect(message).not.toContain('hunter2');
});

it('applies defaults and splits lists', () => {
  const configuration = parseConfiguration(schema, {
    OPS_PORT: '9000',
    NATS_URL: 'a, b,',
    MAKER_SECRET: 'x'.repeat(20),
  });
  expect(configuration).toMatchObject({ OPS_PORT: 9000, LOG_LEVEL: 'info', NATS_URL: ['a', 'b'] });
});
