import {
  CallExecutionError,
  createPublicClient,
  custom,
  EstimateGasExecutionError,
  ExecutionRevertedError,
  HttpRequestError,
  InternalRpcError,
  RpcRequestError,
  toHex,
  zeroAddress,
} from 'viem';
import { describe, expect, it } from 'vitest';
import type { ChainClient } from '../client.ts';
import { GAS_LIMIT_CAP, isRefusedByContract, transferGas, transferGasIfAccepted, withMargin } from './transfer-gas.ts';

const FROM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

/** A node with this code at every address and this estimate. */
function nodeWith(code: string, estimate: () => bigint) {
  const asked: unknown[] = [];
  const client = createPublicClient({
    transport: custom(
      {
        async request({ method, params }: { method: string; params: readonly unknown[] }) {
          if (method === 'eth_getCode') return code;
          if (method !== 'eth_estimateGas') throw new Error(`${method} was not expected`);
          asked.push(params[0]);
          return toHex(estimate());
        },
      },
      { retryCount: 0 },
    ),
  });
  return { asked, client: client as unknown as ChainClient };
}

function answering(code: number, message: string): () => never {
  return () => {
    throw new RpcRequestError({ body: {}, url: 'http://node', error: { code, message } });
  };
}

describe('gas of a transfer', () => {
  const transfer = { from: FROM, to: TO, valueWei: 7n } as const;

  it('is the plain amount for a plain account', async () => {
    const { asked, client } = nodeWith('0x', () => 99n);
    expect(await transferGas(client, transfer)).toBe(21_000);
    expect(asked).toEqual([]);
  });

  it('is a quarter above the estimate otherwise', async () => {
    const contract = nodeWith('0x60', () => 40_000n);
    expect(await transferGas(contract.client, transfer)).toBe(50_000);
    expect(contract.asked).toEqual([{ from: FROM, to: TO, value: '0x7' }]);
    const call = nodeWith('0x', () => 40_000n);
    expect(await transferGas(call.client, { ...transfer, data: '0xa9059cbb' })).toBe(50_000);
    expect(call.asked).toEqual([{ from: FROM, to: TO, value: '0x7', data: '0xa9059cbb' }]);
    expect(withMargin(100n)).toBe(125n);
  });

  it('is accepted up to a transaction’s gas limit', async () => {
    const most = (BigInt(GAS_LIMIT_CAP) * 4n) / 5n;
    const accepted = await transferGasIfAccepted(nodeWith('0x60', () => most).client, transfer);
    expect(accepted).toEqual({ gasLimit: GAS_LIMIT_CAP });
    const refusal = 'needs more gas for it than the 1,000,000 that a transaction may have';
    expect(await transferGasIfAccepted(nodeWith('0x60', () => most + 1n).client, transfer)).toEqual({ refusal });
    const tooLarge = answering(-32_000, 'out of gas: not enough gas to execute');
    expect(await transferGasIfAccepted(nodeWith('0x60', tooLarge).client, transfer)).toEqual({ refusal });
  });

  it('is refused by a contract, unknown without a node', async () => {
    const reverted = nodeWith('0x60', answering(3, 'execution reverted'));
    expect(await transferGasIfAccepted(reverted.client, transfer)).toEqual({ refusal: 'refuses it' });
    const silent = nodeWith('0x60', answering(-32_603, 'internal error'));
    await expect(transferGasIfAccepted(silent.client, transfer)).rejects.toThrow(EstimateGasExecutionError);
  });
});

it('accepts only a node’s answer as refusal', () => {
  expect(isRefusedByContract(new Error('execution reverted'))).toBe(false);
  const answer = new RpcRequestError({
    body: {},
    url: 'http://node',
    error: { code: 3, message: 'execution reverted' },
  });
  expect(isRefusedByContract(answer)).toBe(false);
});

it('treats a reverted call like a failed estimate', () => {
  const call = (cause: ConstructorParameters<typeof CallExecutionError>[0]) =>
    new CallExecutionError(cause, { to: zeroAddress });
  expect(isRefusedByContract(call(new ExecutionRevertedError({ message: 'no' })))).toBe(true);
  expect(isRefusedByContract(call(new HttpRequestError({ url: 'http://node' })))).toBe(false);
});

/** viem's error for a failed estimate at a node that answers -32603 to everything. */
function failedEstimate(message: string): EstimateGasExecutionError {
  const answer = new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_603, message } });
  return new EstimateGasExecutionError(new InternalRpcError(answer), { account: undefined, to: zeroAddress });
}

it.each([
  ['EVM error InvalidFEOpcode', true],
  ['invalid opcode: INVALID', true],
  ['execution reverted', true],
  ['internal error', false],
  ['connection reset, try again', false],
])('treats %s as the contract’s refusal: %s', (message, refused) => {
  expect(isRefusedByContract(failedEstimate(message))).toBe(refused);
});
