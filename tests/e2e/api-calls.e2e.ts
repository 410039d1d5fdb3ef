import { recordCalls } from './actions/api.ts';
import { paidJob } from './actions/jobs.ts';
import { expect, test } from './fixtures.ts';
import { holds } from './specification/holds.ts';

test(
  'every call is JSON with the key',
  holds('6.key', '7.headers', '7.validate', '7.create', '7.payment', '7.stats', '3.configuration'),
  async ({ page, wizard }) => {
    const { apiUrl, apiKey } = wizard.stack;
    const calls = recordCalls(page, /^\/(stats|validate-token|jobs\/)/);
    await wizard.toPayment();
    await expect(page.getByText('Checked at')).toBeVisible();
    await wizard.openJob(paidJob());
    const paths = new Set<string>();
    for (const call of calls.filter((request) => request.method() !== 'OPTIONS')) {
      expect(call.url()).toMatch(new RegExp(`^${apiUrl}/`));
      expect(call.headers()).toMatchObject({ 'x-api-key': apiKey, 'content-type': 'application/json' });
      paths.add(`${call.method()} ${new URL(call.url()).pathname.replace(/job_[^/]+/, '{jobId}')}`);
    }
    expect([...paths]).toEqual(
      expect.arrayContaining([
        'GET /stats',
        'POST /validate-token',
        'POST /jobs/create',
        'GET /jobs/{jobId}/payment',
        'GET /jobs/{jobId}/events',
      ]),
    );
  },
);

test(
  'the API answers data or an error body',
  holds(
    '3.payment-response',
    '3.job-response',
    '3.validation-response',
    '3.stats-response',
    '3.error-body',
    '7.answers',
    '7.status',
    '7.health',
    '4.values',
  ),
  async ({ product }) => {
    const { tokens } = product.stack;
    expect(await product.validate(tokens.both)).toMatchObject({
      isValid: true,
      liquidityStatus: {
        meetsMinimum: true,
        hasV2: true,
        hasV3: true,
        selectedDex: expect.any(String),
        v2LiquidityHype: expect.any(Number),
        v3LiquidityHype: expect.any(Number),
      },
    });
    expect(await product.validate(tokens.thin)).toMatchObject({ isValid: false, errorMessage: expect.any(String) });
    const job = await product.createJob(tokens.both, 0.25);
    expect(job).toMatchObject({ jobId: expect.any(String), paymentAddress: expect.any(String), paymentAmount: 0.25 });
    expect(await product.payment(job.jobId)).toMatchObject({ status: 'pending_payment', paymentReceived: false });
    expect(await product.status(job.jobId)).toMatchObject({
      status: 'pending_payment',
      tokenAddress: tokens.both.toLowerCase(),
    });
    expect(await product.stats()).toMatchObject({
      jobs: { active: expect.any(Number) },
      latestJob: { tokenAddress: expect.any(String) },
    });
    expect(await product.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await product.call('GET', '/jobs/job_00000000000000000000000000000000/payment')).toMatchObject({
      status: 404,
      body: { message: expect.any(String), error: expect.any(String) },
    });
  },
);
