import type { Board } from './board.ts';
import { canary } from './boards/canary.ts';
import { jobs } from './boards/jobs.ts';
import { maker } from './boards/maker.ts';
import { overview } from './boards/overview.ts';
import { payments } from './boards/payments.ts';
import { rpc } from './boards/rpc.ts';
import { services } from './boards/services.ts';
import { slo } from './boards/slo.ts';
import { wallets } from './boards/wallets.ts';
import { webhooks } from './boards/webhooks.ts';

/** Every dashboard of the product. */
export const BOARDS: readonly Board[] = [
  overview,
  jobs,
  payments,
  maker,
  wallets,
  rpc,
  services,
  canary,
  webhooks,
  slo,
];
