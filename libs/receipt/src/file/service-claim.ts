import { recoverTypedDataAddress } from 'viem';
import { z } from 'zod';
import { address, signature, text, time } from './fields.ts';
import { signerOf } from './signer-of.ts';

/** A period that a service's identity signs. Periods may overlap: a fee may be pending while the treasury changes. */
export const servicePeriodSchema = z.strictObject({
  treasury: address,
  /** Signs for the wallets of jobs. */
  jobSigner: address,
  /** Exchanges that the service added by configuration, without those of the verifier's build. */
  venues: z.array(z.strictObject({ id: text, router: address })).max(100),
  from: time,
  /** Null: until a later period. */
  to: time.nullable(),
});
export type ServicePeriod = z.infer<typeof servicePeriodSchema>;

/** The claim in a receipt that a job belongs to a service. */
export const serviceClaimSchema = z.strictObject({
  /** The service publishes it; a payer compares it. */
  identity: address,
  periods: z.array(servicePeriodSchema.extend({ signature })).min(1).max(100),
  /** Job signer of a period, which signed for this job's wallet; see `jobTypedData`. */
  jobSigner: address,
  jobSignature: signature,
});
export type ServiceClaim = z.infer<typeof serviceClaimSchema>;

export interface ServedJob {
  readonly chainId: number;
  readonly jobId: string;
  readonly wallet: `0x${string}`;
  readonly token: `0x${string}`;
}

const domainOf = (chainId: number) => ({ name: 'HyperEVM Maker service', version: '1', chainId }) as const;

/** The typed data of a period that the service's identity signs (EIP-712). */
export function periodTypedData(chainId: number, { treasury, jobSigner, venues, from, to }: ServicePeriod) {
  return {
    domain: domainOf(chainId),
    types: {
      Venue: [
        { name: 'id', type: 'string' },
        { name: 'router', type: 'address' },
      ],
      Period: [
        { name: 'treasury', type: 'address' },
        { name: 'jobSigner', type: 'address' },
        { name: 'venues', type: 'Venue[]' },
        { name: 'from', type: 'string' },
        { name: 'to', type: 'string' },
      ],
    },
    primaryType: 'Period',
    message: { treasury, jobSigner, venues, from, to: to ?? '' },
  } as const;
}

/** The typed data that a job signer signs (EIP-712): this wallet belongs to the service. */
export function jobTypedData({ chainId, jobId, wallet, token }: ServedJob) {
  return {
    domain: domainOf(chainId),
    types: {
      Job: [
        { name: 'jobId', type: 'string' },
        { name: 'wallet', type: 'address' },
        { name: 'token', type: 'address' },
      ],
    },
    primaryType: 'Job',
    message: { jobId, wallet, token },
  } as const;
}

/** The first wrong signature of a claim, as a sentence; undefined if all are right. */
export async function claimProblem(claim: ServiceClaim, job: ServedJob): Promise<string | undefined> {
  for (const { signature, ...period } of claim.periods) {
    const signer = await signerOf(recoverTypedDataAddress({ ...periodTypedData(job.chainId, period), signature }));
    if (signer !== claim.identity)
      return `The service ${claim.identity} did not sign its period from ${period.from} as the receipt states it.`;
  }
  const signer = await signerOf(recoverTypedDataAddress({ ...jobTypedData(job), signature: claim.jobSignature }));
  if (signer === claim.jobSigner) return undefined;
  return `The service ${claim.identity} did not sign for this job's wallet ${job.wallet}.`;
}
