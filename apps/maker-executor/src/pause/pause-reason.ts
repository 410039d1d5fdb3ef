import { exceedsGasGuardrail, type PauseReason } from '@maker/rules';
import type { BlockHead } from '../chain/head-feed.ts';

/** Why no transaction of any job may be sent at this base fee and the tip that is worth offering, wei per gas. Source: specification § 9. */
export function chainPause({ baseFeeWei, tipWei }: Pick<BlockHead, 'baseFeeWei' | 'tipWei'>): PauseReason | undefined {
  return exceedsGasGuardrail(baseFeeWei, tipWei) ? 'gas_guardrail' : undefined;
}
