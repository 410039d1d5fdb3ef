/** A stop secret, and the hash of it that a creation sends. */
export interface StopSecret {
  /** Keep it: nobody else has it. */
  readonly stopSecret: string;
  readonly stopSecretHash: string;
}

/**
 * Makes a stop secret that the API never gets before you use it. Send `stopSecretHash` with the creation of the job.
 * @example
 * const { stopSecret, stopSecretHash } = await newStopSecret();
 * await maker.createJob({ tokenAddress: '0x…', paymentAmount: 0.25, stopSecretHash });
 */
export async function newStopSecret(): Promise<StopSecret> {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  const stopSecret = `stop_${text}`;
  return { stopSecret, stopSecretHash: await hashStopSecret(stopSecret) };
}

/** The hash of a stop secret: SHA-256 of the hexadecimal text of its HMAC-SHA-256 over `stop`. */
export async function hashStopSecret(stopSecret: string): Promise<string> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(stopSecret), algorithm, false, ['sign']);
  const proof = hex(await crypto.subtle.sign('HMAC', key, encode('stop')));
  return hex(await crypto.subtle.digest('SHA-256', encode(proof)));
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
