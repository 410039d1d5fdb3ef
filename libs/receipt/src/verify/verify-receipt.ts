import { type Address, recoverTypedDataAddress } from 'viem';
import type { z } from 'zod';
import type { ChainFacts } from '../chain/chain-facts.ts';
import { contentHashOf } from '../file/content-hash.ts';
import { printable } from '../file/quoted.ts';
import { type ReceiptFile, receiptFileSchema } from '../file/receipt-file.ts';
import { claimProblem } from '../file/service-claim.ts';
import { signerOf } from '../file/signer-of.ts';
import { receiptTypedData } from '../file/typed-data.ts';
import { asserted } from './asserted.ts';
import { Evidence, type Rule } from './evidence.ts';
import { balance, delivery, fee, moneyIn, returns, sums } from './money-rules.ts';
import { onlyBuys, priceBand } from './order-rules.ts';
import { ending, gasPrice, pauses, schedule } from './schedule-rules.ts';
import { rulesKnown, service, serviceSentence } from './service-rules.ts';
import { unknowable } from './unknowable.ts';
import { oneWallet, sameChain } from './wallet-rules.ts';

/** Each may build on those before it. */
const RULES: readonly Rule[] = [
  rulesKnown,
  sameChain,
  oneWallet,
  service,
  moneyIn,
  fee,
  onlyBuys,
  gasPrice,
  schedule,
  priceBand,
  pauses,
  delivery,
  returns,
  sums,
  ending,
  balance,
];

export interface Finding {
  /** `format`, `signature` or the id of a rule. */
  readonly rule: string;
  /** In a plain sentence. */
  readonly problem: string;
}

/** What was found of a receipt. */
export interface Verdict {
  /** Absent: nothing is against the rules, as far as the chain tells. */
  readonly broken?: Finding;
  /** Whose job it was, or that nobody is known; empty where the file cannot be read. */
  readonly service: string;
  /** What the chain and this build prove, in plain sentences without a word of the service. */
  readonly proven: readonly string[];
  /** What the service says and nothing proves; empty where something is not so. */
  readonly asserted: readonly string[];
  /** What cannot be known from the chain; empty where something is not so. */
  readonly unknown: readonly string[];
}

/** The verdict about a file that is no receipt, or is not signed by whom it names. */
export function unreadable(broken: Finding): Verdict {
  return { broken, service: '', proven: [], asserted: [], unknown: [] };
}

/** A file that can be judged, or what keeps it from that. */
export type OpenedFile = { readonly file: ReceiptFile } | { readonly broken: Finding };

/** Reads the content of a file as a receipt and checks its signature, which needs no chain. @param content parsed JSON */
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
  const problem = `The file is not signed by the job's wallet ${receipt.wallet}${signer === undefined ? '' : ` but, as it stands, by ${signer}`}: somebody changed it, or the wallet never signed it.`;
  return { broken: { rule: 'signature', problem } };
}

/**
 * Holds a receipt against the chain.
 * @param facts read for this very receipt, see `readFacts`
 * @param wantedService identity of the service that it should be of, in lower case; absent: any
 */
export function verifyReceipt({ receipt }: ReceiptFile, facts: ChainFacts, wantedService?: Address): Verdict {
  const evidence = new Evidence(receipt, facts, wantedService);
  const whose = serviceSentence(evidence);
  const proven = [`The job's wallet ${receipt.wallet} signed this file.`];
  for (const rule of RULES) {
    for (const problem of rule.broken(evidence))
      return { broken: { rule: rule.id, problem }, service: whose, proven, asserted: [], unknown: [] };
    if (rule.statement) proven.push(rule.statement(evidence));
  }
  return { service: whose, proven, asserted: [...asserted(evidence)], unknown: [...unknowable(evidence)] };
}

/** The verdict in a line or two, for a payer who reads no more. */
export function verdictSummary({ broken, unknown }: Verdict): readonly string[] {
  if (broken) return ['NOT CONFIRMED: do not rely on this receipt.'];
  const count = unknown.length;
  const points = count === 1 ? '1 point is not known: read it' : `${count} points are not known: read them`;
  return [
    'The chain confirms all of this receipt that it can show.',
    ...(count > 0 ? [`${points}. The verifier does not vouch for that, nor for what the service says.`] : []),
  ];
}

function formatProblem({ issues }: z.ZodError): string {
  const [first] = issues.map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(' '));
  return `This is no receipt of a job: ${printable(first ?? '')}.`;
}
