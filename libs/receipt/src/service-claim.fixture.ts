import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  jobTypedData,
  periodTypedData,
  type ServedJob,
  type ServiceClaim,
  type ServicePeriod,
} from './file/service-claim.ts';
import { lower, TREASURY } from './parties.fixture.ts';

const identity = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const jobSigner = privateKeyToAccount(`0x${'44'.repeat(32)}`);

export const IDENTITY: Address = lower(identity.address);

/** A period without an end, as an honest service signs it. */
export const PERIOD: ServicePeriod = {
  treasury: TREASURY,
  jobSigner: lower(jobSigner.address),
  venues: [],
  from: '2026-01-01T00:00:00.000Z',
  to: null,
};

/** Signs a service's claim of a job. */
export async function claimOf(job: ServedJob, ...periods: readonly Partial<ServicePeriod>[]): Promise<ServiceClaim> {
  const all = (periods.length > 0 ? periods : [{}]).map((change) => ({ ...PERIOD, ...change }));
  const sign = (period: ServicePeriod): Promise<Hex> => identity.signTypedData(periodTypedData(job.chainId, period));
  return {
    identity: IDENTITY,
    periods: await Promise.all(all.map(async (period) => ({ ...period, signature: await sign(period) }))),
    jobSigner: PERIOD.jobSigner,
    jobSignature: await jobSigner.signTypedData(jobTypedData(job)),
  };
}
