import { RequestFailure } from '@maker/messaging';

/** The payment is below the minimum or above the maximum. Source: specification § 5. */
export class AmountOutOfRange extends RequestFailure {
  constructor(message: string) {
    super('AMOUNT_OUT_OF_RANGE', message);
    this.name = 'AmountOutOfRange';
  }
}

/** token-validation refused the token; the message is its own sentence for the visitor. */
export class TokenNotTradable extends RequestFailure {
  constructor(message: string) {
    super('TOKEN_NOT_TRADABLE', message);
    this.name = 'TokenNotTradable';
  }
}

/** An idempotency key was used for another request before. Source: docs/adr/0004. */
export class IdempotencyKeyReused extends RequestFailure {
  constructor() {
    super('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for another job; use a new key for a new request');
    this.name = 'IdempotencyKeyReused';
  }
}
