import { hash } from 'node:crypto';
import type { Agreement, CreateJobResponse, createJob } from '@maker/contracts';
import { agreementClaim, isAgreementSigned } from '@maker/signing/agreement';
import { stopCommitment, stopProof } from '@maker/signing/commands';
import type { z } from 'zod';

type Command = z.input<typeof createJob.request>;

const lower = (address: string) => address.toLowerCase();

/**
 * Why an answer of `job.create` is not what the job service agreed to for this request; undefined if it is. A service that can send a
 * reply cannot sign it, and cannot use the agreement of another request. Source: docs/adr/0145.
 * @param signers addresses of the keys that sign agreements
 */
export function agreementProblem(
  command: Command,
  created: CreateJobResponse,
  signers: readonly `0x${string}`[],
): string | undefined {
  if (!created.agreement) return 'it has no agreement';
  if (!isAgreementSigned(created.agreement, signers)) return 'its agreement is not signed by the job service';
  const { agreement } = created.agreement;
  const different = differences(agreement, command, created).find(([, agreed, answered]) => agreed !== answered);
  return different && `its ${different[0]} is not the agreed one`;
}

function differences(
  agreement: Agreement,
  command: Command,
  created: CreateJobResponse,
): readonly (readonly [what: string, agreed: unknown, answered: unknown])[] {
  const { apiKeyName, idempotencyKey = '', returnAddress, stopSecretHash } = command;
  const { plan, stopSecret } = created;
  const claim = agreementClaim(apiKeyName, hash('sha256', idempotencyKey));
  return [
    ['request', agreement.claim, claim],
    ['job', agreement.jobId, created.jobId],
    ['payment address', agreement.wallet, lower(created.paymentAddress)],
    ['token', agreement.tokenAddress, lower(command.tokenAddress)],
    ['amount', agreement.amountWei, command.paymentAmountWei],
    ['answered amount', agreement.amountWei, created.paymentAmountWei],
    ['return address', agreement.returnAddress, returnAddress === undefined ? null : lower(returnAddress)],
    ['deadline', agreement.deadline, created.paymentDeadline],
    ...(stopSecretHash === undefined ? [] : [['stop secret', agreement.stopSecretHash, stopSecretHash] as const]),
    ...(stopSecret === undefined
      ? []
      : [['stop secret', agreement.stopSecretHash, stopCommitment(stopProof(stopSecret))] as const]),
    ...(plan === undefined
      ? []
      : ([
          ['price', agreement.seenPriceX96, plan.purchase.seenPriceX96],
          ['price band', agreement.bandBps, plan.limits.bandBps],
          ['slippage limit', agreement.slippageBps, plan.limits.slippageBps],
          ['impact limit', agreement.impactCapBps, plan.limits.impactCapBps],
          ['latest end', agreement.latestEndAt, plan.latestEndAt],
        ] as const)),
  ];
}
