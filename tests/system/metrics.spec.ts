import { beforeAll, describe, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import type { ProductClient } from '../support/product-client.ts';

const own = ownStackForFile();

beforeAll(async () => {
  await own.product.stats();
});

async function metricsOf(service: keyof ProductClient['stack']['ops']): Promise<string> {
  const response = await fetch(`${own.product.stack.ops[service]}/metrics`);
  expect(response.status).toBe(200);
  return response.text();
}

describe('/metrics shows the work of each service', () => {
  it.each([
    ['api-gateway', 'maker_http_requests_total', 'requests by route template'],
    ['token-validation', 'maker_validation_answers_total', 'validations by outcome'],
    ['job', 'maker_job_jobs', 'jobs by state'],
    ['job', 'maker_outbox_age_seconds', 'age of the outbox'],
    ['payment-watcher', 'maker_payment_detection_lag_blocks', 'detection lag in blocks'],
    ['payment-watcher', 'maker_outbox_age_seconds', 'age of the outbox'],
    ['maker-executor', 'maker_order_orders_total', 'orders'],
    ['maker-executor', 'maker_execution_spent_wei_total', 'wei spent'],
    ['maker-executor', 'maker_execution_base_fee_wei', 'gas price'],
    ['maker-executor', 'maker_outbox_age_seconds', 'age of the outbox'],
  ] as const)('%s: %s (%s)', async (service, name, _what) => {
    expect(await metricsOf(service)).toMatch(new RegExp(`^# TYPE ${name} `, 'm'));
  });

  it('counts requests by route template', async () => {
    const jobId = `job_${'c'.repeat(32)}`;
    await own.product.call('GET', `/jobs/${jobId}/payment`);
    await own.product.call('GET', '/some/unknown/path');
    const metrics = await metricsOf('api-gateway');
    expect(metrics).toContain('route="/jobs/:jobId/payment"');
    expect(metrics).not.toContain(jobId);
    expect(metrics).not.toContain('/some/unknown/path');
  });

  it.each(['api-gateway', 'token-validation', 'job', 'payment-watcher', 'maker-executor', 'receipts'] as const)(
    '%s is alive and ready',
    async (service) => {
      const [live, ready] = await Promise.all(
        ['/livez', '/readyz'].map((path) => fetch(`${own.product.stack.ops[service]}${path}`)),
      );
      expect([live?.status, ready?.status]).toEqual([200, 200]);
    },
  );
});
