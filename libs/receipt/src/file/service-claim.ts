import { recoverTypedDataAddress } from 'viem';
import { z } from 'zod';
import { address, signature, text, time } from './fields.ts';
import { signerOf } from './signer-of.ts';

/** What a service's identity says of a period. Periods may overlap: a fee may be on its way while the treasury changes. */
export const servicePeriodSchema = z.strictObject({
  treasury: address,
  /** Signs for the wallets of jobs. */
  jobSigner: address,
  /** Exchanges that the service added by configuration; those of the verifier's own build need no mention. */
  venues: z.array(z.strictObject({ id: text, router: address })).max(100),
  from: time,
  /** Null: until a later period. */
  to: time.nullable(),
});
export type ServicePeriod = z.infer<typeof servicePeriodSchema>;

/** By which a receipt says whose job it was. */
export const serviceClaimSchema = z.strictObject({
  /** Published by the service; a payer compares it. */
  identity: address,
  periods: z.array(servicePeriodSchema.extend({ signature })).min(1).max(100),
  /** A period's, which signed for this job's wallet; see `jobTypedData`. */
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

/** What the service's identity signs of a period (EIP-712). */
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

/** What a service's job signer signs of a job (EIP-712): that this wallet is one of the service's. */
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

/** What is wrong with a claim's signatures, in a sentence; undefined where each is right. */
export async function claimProblem(claim: ServiceClaim, job: ServedJob): Promise<string | undefined> {
  for (const { signature, ...period } of claim.periods) {
    const signer = await signerOf(recoverTypedDataAddress({ ...periodTypedData(job.chainId, period), signature }));
    if (signer !== claim.identity)
      return `The service ${claim.identity} did not sign its period from ${period.from} as the receipt tells it.`;
  }
  const signer = await signerOf(recoverTypedDataAddress({ ...jobTypedData(job), signature: claim.jobSignature }));
  if (signer === claim.jobSigner) return undefined;
  return `The service ${claim.identity} did not sign for this job's wallet ${job.wallet}.`;
}
