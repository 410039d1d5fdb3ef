import { describe, expect, it } from 'vitest';
import { gatewayForFile } from '../gateway-stage.fixture.ts';
import { JOB_ID, ordersFixture, paymentFixture, receiptFixture } from '../service-answers.fixture.ts';
import { services } from '../services.fixture.ts';

const gateway = gatewayForFile();
const { announce, call } = gateway;

describe('the receipt', () => {
  it('is in the status, absent while receipts is silent', async () => {
    services.receipt = receiptFixture();
    services.payment = paymentFixture({ status: 'active', paymentReceived: true });
    const status = async () => (await call('GET', `/jobs/${JOB_ID}/status`)).json();
    await expect.poll(async () => (await status()).receipt?.plannedOrders).toBe(625);
    services.silent = 'receipts.receipt.get';
    await announce();
    await expect.poll(async () => (await status()).receiptUnavailable, { timeout: 5000 }).toBe(true);
    expect((await status()).receipt).toBeUndefined();
  });

  it('is not requested before the job is paid', async () => {
    services.silent = 'receipts.receipt.get';
    const status = (await call('GET', `/jobs/${JOB_ID}/status`)).json();
    expect(status.status).toBe('pending_payment');
    expect(status).not.toHaveProperty('receiptUnavailable');
    expect(services.countOf('receipts.receipt.get')).toBe(0);
  });

  it('lists orders in pages', async () => {
    services.orders = ordersFixture(5);
    const page = (await call('GET', `/jobs/${JOB_ID}/orders?after=1&limit=2`)).json();
    expect(page.orders.map((order: { number: number }) => order.number)).toEqual([2, 3]);
  });

  it('is CSV with any number of transfers and orders', async () => {
    services.receipt = receiptFixture();
    services.orders = ordersFixture(1203);
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.csv`);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${JOB_ID}.csv"`,
    });
    const lines = response.body.trim().split('\r\n');
    expect(lines).toHaveLength(1 + 1 + 1203);
    expect(lines[1]).toContain('fee,');
    expect(lines.at(-1)).toContain(`order,1203,mined,${services.orders.at(-1)?.transactionHash}`);
  });

  it('is the signed text, with any number of orders', async () => {
    services.signedOrders = Array.from({ length: 1203 }, (_, index) => `{"number":${index + 1}}`);
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.json`);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${JOB_ID}.json"`,
    });
    expect(response.body).toBe(
      `{"receipt":{"jobId":"x","orders":[${services.signedOrders.join(',')}]},"signature":"0xab"}`,
    );
  });

  it('is read in bounded messages for any number of deposits', async () => {
    services.signedOrders = ['{"number":1}'];
    services.signedHead = JSON.stringify({
      deposits: Array.from({ length: 50_000 }, (_, index) => `deposit ${index}`),
    });
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.json`);
    const { receipt } = JSON.parse(response.body);
    expect(receipt.deposits).toHaveLength(50_000);
    expect(receipt.orders).toEqual([{ number: 1 }]);
  });

  it('does not exist before the job is paid', async () => {
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.json`);
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'NOT_POSSIBLE_NOW' });
  });

  it('has only its header before the job runs', async () => {
    const response = await call('GET', `/jobs/${JOB_ID}/receipt.csv`);
    expect(response.body.trim().split('\r\n')).toHaveLength(1);
  });
});
