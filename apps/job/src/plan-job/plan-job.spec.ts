import { describe, expect, it } from 'vitest';
import type { OfferedPlan, PlansService } from '../plan/plans.service.ts';
import { PlanJobHandler } from './plan-job.handler.ts';

describe('PlanJobHandler', () => {
  it('refuses plans beyond those in hand and takes later ones', async () => {
    const answer = Promise.withResolvers<OfferedPlan>();
    const asked: bigint[] = [];
    const plans = {
      offer: (_token: string, wei: bigint) => {
        asked.push(wei);
        return answer.promise;
      },
    } as unknown as PlansService;
    const handler = new PlanJobHandler(plans);
    const plan = (wei: number) => handler.plan({ tokenAddress: `0x${'1'.repeat(40)}`, paymentAmountWei: String(wei) });
    const inHand = Array.from({ length: 64 }, (_, wei) => plan(wei));
    await expect(plan(64)).rejects.toMatchObject({ error: { code: 'OVERLOADED' } });
    expect(asked).toHaveLength(64);
    answer.resolve({ plan: 'a plan' } as unknown as OfferedPlan);
    expect(await Promise.all(inHand)).toEqual(inHand.map(() => 'a plan'));
    expect(await plan(65)).toBe('a plan');
  });
});
