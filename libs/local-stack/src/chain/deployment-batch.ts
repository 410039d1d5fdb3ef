import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hash,
  type Hex,
  type TestClient,
} from 'viem';
import type { Artifact } from './artifacts.ts';

/** Enough for each deployment and call here, below EIP-7825's limit for one transaction. */
const GAS_PER_TRANSACTION = 8_000_000n;
const MAX_FEE_PER_GAS = 1_000_000_000n;
/** Large enough for the whole batch in one block, so that it advances the chain's clock by one second only. */
const BATCH_BLOCK_GAS = 2_000_000_000n;

export class DeploymentFailedError extends Error {
  readonly code = 'DEPLOYMENT_FAILED';

  constructor(step: string) {
    super(`deployment step '${step}' reverted`);
    this.name = 'DeploymentFailedError';
  }
}

/** Transactions of one account that are mined together. Their contracts' addresses are known before. */
export interface DeploymentBatch {
  deploy(step: string, artifact: Artifact, args?: readonly unknown[]): Promise<Address>;
  call(
    step: string,
    call: {
      to: Address;
      artifact: Pick<Artifact, 'abi'>;
      functionName: string;
      args: readonly unknown[];
      value?: bigint;
    },
  ): Promise<void>;
  /** Address of a later deployment, after so many further transactions: 0 is the next one. */
  upcoming(steps: number): Address;
  /** Mines the whole batch. @throws DeploymentFailedError naming the first step that reverted */
  mine(): Promise<void>;
}

/** @param from an account that anvil has unlocked @param blockGasLimit of the blocks after the batch */
export async function startBatch(client: TestClient, from: Address, blockGasLimit: bigint): Promise<DeploymentBatch> {
  const request = client.request as (call: { method: string; params?: unknown[] }) => Promise<unknown>;
  let nonce = Number(await request({ method: 'eth_getTransactionCount', params: [from, 'latest'] }));
  const steps: { step: string; hash: Promise<Hash> }[] = [];

  const send = (step: string, data: Hex, to?: Address, value = 0n): void => {
    const transaction = {
      from,
      to,
      data,
      value: `0x${value.toString(16)}`,
      gas: `0x${GAS_PER_TRANSACTION.toString(16)}`,
      maxFeePerGas: `0x${MAX_FEE_PER_GAS.toString(16)}`,
      maxPriorityFeePerGas: '0x0',
      nonce: `0x${nonce.toString(16)}`,
    };
    nonce += 1;
    const hash = request({ method: 'eth_sendTransaction', params: [transaction] }) as Promise<Hash>;
    // `mine` waits for all and reports rejections. The order of arrival does not matter, because each has a nonce.
    hash.catch(() => undefined);
    steps.push({ step, hash });
  };

  return {
    async deploy(step, artifact, args = []) {
      const address = getContractAddress({ from, nonce: BigInt(nonce) });
      send(step, encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args }));
      return address;
    },
    upcoming: (further) => getContractAddress({ from, nonce: BigInt(nonce + further) }),
    async call(step, { to, artifact, functionName, args, value }) {
      send(step, encodeFunctionData({ abi: artifact.abi, functionName, args }), to, value);
    },
    async mine() {
      const sent = await Promise.all(steps.map(async ({ step, hash }) => ({ step, hash: await hash })));
      await client.setBlockGasLimit({ gasLimit: BATCH_BLOCK_GAS });
      await client.mine({ blocks: 1 });
      await client.setBlockGasLimit({ gasLimit: blockGasLimit });
      const receipts = await Promise.all(
        sent.map(({ hash }) => request({ method: 'eth_getTransactionReceipt', params: [hash] })),
      );
      const failed = sent.find((_, index) => (receipts[index] as { status: Hex } | null)?.status !== '0x1');
      if (failed) throw new DeploymentFailedError(failed.step);
      steps.length = 0;
    },
  };
}
