import { type Address, recoverTypedDataAddress } from 'viem';
import type { z } from 'zod';
import type { ChainFacts } from '../chain/chain-facts.ts';
import { contentHashOf } from '../file/content-hash.ts';
import { printable } from '../file/quoted.ts';
import { type ReceiptFile, receiptFileSchema } from '../file/receipt-file.ts';
import { claimProblem } from '../file/service-claim.ts';
import { signerOf } from '../file/signer-of.ts';
import { receiptTypedData } from '../file/typed-data.ts';
import { agreement, notAgreedSentence } from './agreement-rules.ts';
import { asserted } from './asserted.ts';
import { Evidence, type Rule } from './evidence.ts';
import { balance, delivery, fee, moneyIn, returns, sums } from './money-rules.ts';
import { onlyBuys, priceBand } from './order-rules.ts';
import { bestPrice } from './price-rules.ts';
import { purpose, purposeSentence } from './purpose-rules.ts';
import { ending, gasPrice, pauses, schedule } from './schedule-rules.ts';
import { rulesKnown, service, serviceSentence } from './service-rules.ts';
import { unknowable } from './unknowable.ts';
import { oneWallet, sameChain } from './wallet-rules.ts';

/** The rules in order. Each may rely on the rules before it. */
const RULES: readonly Rule[] = [
  rulesKnown,
  sameChain,
  oneWallet,
  service,
  moneyIn,
  fee,
  onlyBuys,
  bestPrice,
  gasPrice,
  schedule,
  priceBand,
  pauses,
  delivery,
  returns,
  sums,
  purpose,
  ending,
  balance,
  agreement,
];

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
  /** The service of the job, or that it is unknown; empty if the file cannot be read. */
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

/** Parses a receipt file and checks its signatures, without the chain. @param content parsed JSON */
export async function openReceipt(content: unknown): Promise<OpenedFile> {
  const parsed = receiptFileSchema.safeParse(content);
  if (!parsed.success) return { broken: { rule: 'format', problem: formatProblem(parsed.error) } };
  const { receipt, signature } = parsed.data;
  const typedData = receiptTypedData(receipt, await contentHashOf(receipt));
  const signer = await signerOf(recoverTypedDataAddress({ ...typedData, signature }));
  if (signer === receipt.wallet) {
    const job = { ...receipt, token: receipt.token.address };
    const problem = receipt.service === null ? undefined : await claimProblem(receipt.service, job);
    return problem === undefined ? { file: { receipt, signature } } : { broken: { rule: 'service', problem } };
  }
  const problem = `The job's wallet ${receipt.wallet} did not sign this content${signer === undefined ? '' : ` (the signature is by ${signer})`}: the file was changed, or the wallet never signed it.`;
  return { broken: { rule: 'signature', problem } };
}

/**
 * Checks a receipt against the facts of the chain.
 * @param facts the result of `readFacts` for this receipt
 * @param wantedService expected identity of the service, in lower case; absent: any
 */
export function verifyReceipt({ receipt }: ReceiptFile, facts: ChainFacts, wantedService?: Address): Verdict {
  const evidence = new Evidence(receipt, facts, wantedService);
  const whose = serviceSentence(evidence);
  const notAgreed = sentence(notAgreedSentence(evidence));
  const proven = [`The job's wallet ${receipt.wallet} signed this file.`];
  for (const rule of RULES) {
    for (const problem of rule.broken(evidence))
      return {
        broken: { rule: rule.id, problem },
        cautions: [...notAgreed],
        service: whose,
        proven,
        asserted: [],
        unknown: [],
      };
    const statement = rule.statement?.(evidence);
    if (statement !== undefined) proven.push(statement);
  }
  return {
    cautions: [...sentence(purposeSentence(evidence)), ...notAgreed],
    service: whose,
    proven,
    asserted: [...asserted(evidence)],
    unknown: [...unknowable(evidence)],
  };
}

function sentence(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
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
