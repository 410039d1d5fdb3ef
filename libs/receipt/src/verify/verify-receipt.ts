import { recoverTypedDataAddress } from 'viem';
import type { z } from 'zod';
import type { ChainFacts } from '../chain/chain-facts.ts';
import { contentHashOf } from '../file/content-hash.ts';
import { type ReceiptFile, receiptFileSchema } from '../file/receipt-file.ts';
import { receiptTypedData } from '../file/typed-data.ts';
import { Evidence } from './evidence.ts';
import { balance, delivery, fee, moneyIn, returns, sums } from './money-rules.ts';
import { onlyBuys, priceBand } from './order-rules.ts';
import type { Rule } from './rule.ts';
import { ending, pauses, schedule } from './schedule-rules.ts';
import { unknowable } from './unknowable.ts';
import { oneWallet, sameChain } from './wallet-rules.ts';

/** Each may build on those before it. */
const RULES: readonly Rule[] = [
  sameChain,
  oneWallet,
  moneyIn,
  fee,
  onlyBuys,
  schedule,
  priceBand,
  pauses,
  delivery,
  returns,
  sums,
  ending,
  balance,
];

/** The first thing that is not so. */
export interface Finding {
  /** `format`, `signature` or the id of a rule. */
  readonly rule: string;
  /** In a plain sentence. */
  readonly problem: string;
}

/** What was found of a receipt. */
export interface Verdict {
  /** Absent: all of it is so. */
  readonly broken?: Finding;
  /** What was found to be so, in plain sentences. */
  readonly proven: readonly string[];
  /** What cannot be known from the chain; empty where something is not so. */
  readonly unknown: readonly string[];
}

/** A file that can be judged, or what keeps it from that. */
export type OpenedFile = { readonly file: ReceiptFile } | { readonly broken: Finding };

/** Reads the content of a file as a receipt and checks its signature, which needs no chain. @param content parsed JSON */
export async function openReceipt(content: unknown): Promise<OpenedFile> {
  const parsed = receiptFileSchema.safeParse(content);
  if (!parsed.success) return { broken: { rule: 'format', problem: formatProblem(parsed.error) } };
  const { receipt, signature } = parsed.data;
  const signer = await signerOf(parsed.data);
  if (signer === receipt.wallet) return { file: { receipt, signature } };
  const problem = `The file is not signed by the job's wallet ${receipt.wallet}${signer === undefined ? '' : ` but, as it stands, by ${signer}`}: somebody changed it, or the wallet never signed it.`;
  return { broken: { rule: 'signature', problem } };
}

/** Holds a receipt against the chain. @param facts read for this very receipt, see `readFacts` */
export function verifyReceipt({ receipt }: ReceiptFile, facts: ChainFacts): Verdict {
  const evidence = new Evidence(receipt, facts);
  const proven = [`The job's wallet ${receipt.wallet} signed this file.`];
  for (const rule of RULES) {
    for (const problem of rule.broken(evidence)) return { broken: { rule: rule.id, problem }, proven, unknown: [] };
    proven.push(rule.statement(evidence));
  }
  return { proven, unknown: [...unknowable(evidence)] };
}

async function signerOf({ receipt, signature }: ReceiptFile): Promise<string | undefined> {
  const typedData = receiptTypedData(receipt, await contentHashOf(receipt));
  try {
    return (await recoverTypedDataAddress({ ...typedData, signature })).toLowerCase();
  } catch {
    // No key makes these bytes.
    return undefined;
  }
}

function formatProblem({ issues }: z.ZodError): string {
  const [first] = issues.map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(' '));
  return `This is no receipt of a job: ${first}.`;
}
