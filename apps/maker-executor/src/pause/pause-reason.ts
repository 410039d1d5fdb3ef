import { exceedsGasGuardrail, type PauseReason } from '@maker/rules';

/** HyperEVM asks no tip; what our orders add only bounds their cost. Source: hyperevm § 1. */
const PRIORITY_FEE_WEI = 0n;

/** Why no transaction of any job may be sent at this base fee, wei per gas. Source: specification § 9. */
export function chainPause(baseFeeWei: bigint): PauseReason | undefined {
  return exceedsGasGuardrail(baseFeeWei, PRIORITY_FEE_WEI) ? 'gas_guardrail' : undefined;
}
