import { chainEnvironment } from '@maker/chain';
import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { InvalidAmountError, parseHype } from '@maker/rules';
import { commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';

/** An amount in HYPE as a decimal; parses to wei. */
const hype = z.string().transform((text, context) => {
  try {
    return parseHype(text);
  } catch (error) {
    if (!(error instanceof InvalidAmountError)) throw error;
    context.addIssue({ code: 'custom', message: 'must be an amount in HYPE, such as 10 or 0.5' });
    return z.NEVER;
  }
});

/** Environment of this service. */
export const tokenValidationEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  ...mongoEnvironment,
  ...chainEnvironment,
  /** HYPE side that a token's deepest pool must have. */
  VALIDATION_MINIMUM_LIQUIDITY_HYPE: hype.prefault('10'),
  /** How long what was read of a token is reused. */
  VALIDATION_SNAPSHOT_SECONDS: z.coerce.number().nonnegative().default(15),
});

/** What {@link tokenValidationEnvironment} parses to; the minimum liquidity is in wei. */
export type TokenValidationConfiguration = z.infer<typeof tokenValidationEnvironment>;

/** Injection token of the configuration. */
export const CONFIGURATION = Symbol('TOKEN_VALIDATION_CONFIGURATION');
