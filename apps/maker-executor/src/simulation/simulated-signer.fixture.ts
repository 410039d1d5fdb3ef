import type { Attempt, Execution, PlannedTransaction, TransactionRecord } from '@maker/execution-records';
import { TRUST } from '@maker/execution-records/testing';
import { toHex } from 'viem';
import { assertMaySign } from '../wallet/policy.ts';
import type { Replacement } from '../wallet/replacement.ts';
import { ROUTER, TREASURY, WALLET } from './simulated-chain.fixture.ts';

/** Returns a signer that applies the signing policy. Its hashes count up. @param now our clock, ms */
export function simulatedSigner(jobId: string, now: () => number) {
  let hashes = 0;
  const limits = { chainId: 1, trust: TRUST, treasury: TREASURY, routers: [ROUTER] };
  const attempt = (
    execution: Execution,
    plan: PlannedTransaction & Pick<Attempt, 'isVoid'>,
    nonce: number,
    replaces?: TransactionRecord,
  ): Attempt => {
    const { purpose, to, data, valueWei, gasLimit, maxFeePerGasWei, maxPriorityFeePerGasWei, isVoid } = plan;
    const gas = BigInt(gasLimit);
    const unsigned = { chainId: 1, nonce, to, data, valueWei, gas, maxFeePerGasWei, maxPriorityFeePerGasWei };
    assertMaySign(purpose, unsigned, execution, WALLET, limits, replaces);
    hashes += 1;
    const hash = toHex(hashes);
    const bytes = { hash, rawTransaction: hash, valueWei, maxFeePerGasWei, maxPriorityFeePerGasWei };
    return isVoid ? { ...bytes, isVoid } : bytes;
  };
  return {
    chainId: 1,
    sign: async (execution: Execution, plan: PlannedTransaction, nonce: number): Promise<TransactionRecord> => ({
      ...plan,
      jobId,
      state: 'signed',
      chainId: 1,
      sender: WALLET,
      nonce,
      attempts: [attempt(execution, plan, nonce)],
      inclusion: null,
      reversals: 0,
      createdAt: new Date(now()),
    }),
    signReplacement: async (execution: Execution, transaction: TransactionRecord, replacement: Replacement) => {
      const nothing = { to: WALLET, data: '0x' as const, gasLimit: 21_000 };
      const plan = { ...transaction, ...(replacement.isVoid ? nothing : {}), ...replacement };
      return attempt(execution, plan, transaction.nonce, transaction);
    },
  };
}
