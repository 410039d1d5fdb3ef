import { chainEnvironment, treasuryEnvironment, trustEnvironment } from '@maker/chain';
import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';

/** Environment of this service. */
export const tokenValidationEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  ...mongoEnvironment,
  ...chainEnvironment,
  ...trustEnvironment,
  /** Refused as a return address, because the treasury returns nothing. */
  TREASURY_ADDRESS: treasuryEnvironment.TREASURY_ADDRESS.optional(),
});

/** What {@link tokenValidationEnvironment} parses to. */
export type TokenValidationConfiguration = z.infer<typeof tokenValidationEnvironment>;

/** Injection token of the configuration. */
export const CONFIGURATION = Symbol('TOKEN_VALIDATION_CONFIGURATION');

/** Injection token of the maximum age of a reused snapshot, ms. Specs override it. */
export const SNAPSHOT_REUSE = Symbol('SNAPSHOT_REUSE');
