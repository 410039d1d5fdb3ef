import type { INestMicroservice } from '@nestjs/common';
import type { Address } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import type { MakerStage } from '../maker-stage.fixture.ts';

/** Buys as a stranger in a token's pool, which raises the price. @param amountInWei spent there, wei */
export async function buyAsStranger(
  stage: MakerStage,
  maker: INestMicroservice,
  token: Address,
  amountInWei: bigint,
): Promise<void> {
  const { market } = maker.get(ChainAccess, { strict: false });
  const recipient = stage.strangerOf(1);
  await stage.client.setBalance({ address: recipient, value: 2n * amountInWei });
  const [pool] = await market.pools(token);
  if (!pool) throw new Error('the token has no pool');
  const { timestamp } = await stage.client.getBlock();
  const purchase = { pool, amountInWei, minimumTokensOut: 0n, recipient, deadlineSeconds: timestamp + 3600n };
  await stage.sendAs(recipient, market.buyTransaction(purchase));
}
