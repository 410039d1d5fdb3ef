import { EstimateGasExecutionError, InternalRpcError, RpcRequestError, zeroAddress } from 'viem';
import { expect, it } from 'vitest';
import { isRefusedByContract } from './gas.ts';

/** An estimate that failed, as viem tells it of a node that says -32603 to everything. */
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
])(
  'takes %s for a refusal of the contract: %s (design § 4: it is tried three times, then held)',
  (message, refused) => {
    expect(isRefusedByContract(failedEstimate(message))).toBe(refused);
  },
);
