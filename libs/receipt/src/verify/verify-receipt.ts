import { recoverTypedDataAddress } from 'viem';
import type { z } from 'zod';
import type { ChainFacts } from '../chain/chain-facts.ts';
import { contentHashOf } from '../file/content-hash.ts';
import { printable } from '../file/quoted.ts';
import { type ReceiptFile, receiptFileSchema } from '../file/receipt-file.ts';
import { signerOf } from '../file/signer-of.ts';
import { receiptTypedData } from '../file/typed-data.ts';
import { notAgreed } from './agreement-rules.ts';
import { CLAIMS } from './claims.ts';
import { Evidence, type NamedService } from './evidence.ts';

export interface Finding {
  /** `format`, `signature` or the id of a rule. */
  readonly rule: string;
  /** The breach in one sentence. */
  readonly problem: string;
}

/** The result of checking a receipt. */
export interface Verdict {
  /** The first broken rule; absent if the chain shows none. */
  readonly broken?: Finding;
  /** What a payer must know first: little was bought, or nothing was agreed. These sentences begin the verdict. */
  readonly cautions: readonly string[];
  /** The service of the job, or that it is unknown; empty if the file cannot be read or a rule is broken. */
  readonly service: string;
  /** Facts that the chain and this build prove, as sentences without statements of the service. */
  readonly proven: readonly string[];
  /** Statements of the service without proof; empty if a rule is broken. */
  readonly asserted: readonly string[];
  /** Points that the chain cannot prove; empty if a rule is broken. */
  readonly unknown: readonly string[];
}

/** The verdict about a file that is no receipt, or has a wrong signature. */
export function unreadable(broken: Finding): Verdict {
  return { broken, cautions: [], service: '', proven: [], asserted: [], unknown: [] };
}

/** A valid file, or the reason why it is not. */
export type OpenedFile = { readonly file: ReceiptFile } | { readonly broken: Finding };

/** Parses a receipt file and checks its signature, without the chain. @param content parsed JSON */
export async function openReceipt(content: unknown): Promise<OpenedFile> {
  const parsed = receiptFileSchema.safeParse(content);
  if (!parsed.success) return { broken: { rule: 'format', problem: formatProblem(parsed.error) } };
  const { receipt, signature } = parsed.data;
  const typedData = receiptTypedData(receipt, await contentHashOf(receipt));
  const signer = await signerOf(recoverTypedDataAddress({ ...typedData, signature }));
  if (signer === receipt.wallet) return { file: { receipt, signature } };
  const problem = `The job's wallet ${receipt.wallet} did not sign this content${signer === undefined ? '' : ` (the signature is by ${signer})`}: the file was changed, or the wallet never signed it.`;
  return { broken: { rule: 'signature', problem } };
}

/**
 * Checks a receipt against the facts of the chain.
 * @param facts the result of `readFacts` for this receipt
 * @param namedService the service that the reader expects; absent: any
 */
export function verifyReceipt({ receipt }: ReceiptFile, facts: ChainFacts, namedService?: NamedService): Verdict {
  const evidence = new Evidence(receipt, facts, namedService);
  const proven = [`The job's wallet ${receipt.wallet} signed this file.`];
  for (const [rule, { check, proven: proves }] of Object.entries(CLAIMS)) {
    const [problem] = check?.(evidence) ?? [];
    if (problem !== undefined) {
      const cautions = [...notAgreed(evidence)];
      return { broken: { rule, problem }, cautions, service: '', proven, asserted: [], unknown: [] };
    }
    proven.push(...(proves?.(evidence) ?? []));
  }
  const sentences = (part: 'first' | 'service' | 'said' | 'open') =>
    Object.values(CLAIMS).flatMap((claim) => [...(claim[part]?.(evidence) ?? [])]);
  return {
    cautions: sentences('first'),
    service: sentences('service').join(' '),
    proven,
    asserted: sentences('said').map((statement) => `The service says that ${statement}`),
    unknown: sentences('open'),
  };
}

/** The verdict in one or two lines. */
export function verdictSummary({ broken, unknown }: Verdict): readonly string[] {
  if (broken) return ['NOT CONFIRMED: do not rely on this receipt.'];
  const count = unknown.length;
  const points = count === 1 ? '1 point is not known: read it' : `${count} points are not known: read them`;
  return [
    'The chain confirms every fact of this receipt that it can show.',
    ...(count > 0 ? [`${points}. The verifier confirms neither these points nor the statements of the service.`] : []),
  ];
}

function formatProblem({ issues }: z.ZodError): string {
  const [first] = issues.map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(' '));
  return `This is no receipt of a job: ${printable(first ?? '')}.`;
}
