import { hash } from 'node:crypto';

/** The claim of an agreement: it binds it to the request with this idempotency key. @param keyHash SHA-256 of the key; both absent without one */
export function agreementClaim(apiKeyName: string | undefined, keyHash: string | undefined): string {
  return hash('sha256', JSON.stringify([apiKeyName, keyHash]));
}
