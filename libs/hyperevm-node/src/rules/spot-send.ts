import { type Hex, isAddress, isHex, parseUnits, recoverTypedDataAddress } from 'viem';
import { z } from 'zod';

/** An amount of HYPE with HyperCore's decimals. */
const AMOUNT = /^\d+(\.\d{1,8})?$/;
const DAY_MS = 86_400_000;

const FIELDS = [
  { name: 'hyperliquidChain', type: 'string' },
  { name: 'destination', type: 'string' },
  { name: 'token', type: 'string' },
  { name: 'amount', type: 'string' },
  { name: 'time', type: 'uint64' },
] as const;

const scalar = z.custom<Hex>((value) => isHex(value) && value.length <= 66);

const request = z.object({
  action: z.object({
    type: z.literal('spotSend'),
    signatureChainId: z.custom<Hex>((value) => isHex(value)),
    hyperliquidChain: z.enum(['Mainnet', 'Testnet']),
    destination: z.custom<Hex>((value) => typeof value === 'string' && isAddress(value, { strict: false })),
    token: z.string(),
    amount: z.string().regex(AMOUNT),
    time: z.int(),
  }),
  nonce: z.int(),
  signature: z.object({ r: scalar, s: scalar, v: z.union([z.literal(27), z.literal(28)]) }),
});

/** The body of a transfer on HyperCore. */
export type SpotSendRequest = z.output<typeof request>;

/** @returns undefined for an invalid body */
export function readSpotSend(body: string): SpotSendRequest | undefined {
  try {
    return request.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** Recovers the signer's address; a changed action gives another address. */
export function senderOfSpotSend({ action, signature }: SpotSendRequest): Promise<Hex> {
  return recoverTypedDataAddress({
    domain: {
      name: 'HyperliquidSignTransaction',
      version: '1',
      chainId: Number(action.signatureChainId),
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: { 'HyperliquidTransaction:SpotSend': FIELDS },
    primaryType: 'HyperliquidTransaction:SpotSend',
    message: { ...action, time: BigInt(action.time) },
    signature: { r: signature.r, s: signature.s, v: BigInt(signature.v) },
  });
}

/** Why HyperCore rejects the action of any signer, if it does. It accepts nonces from two days ago to one day ahead. */
export function refusalOf({ action, nonce }: SpotSendRequest, nowMs: number): string | undefined {
  if (action.hyperliquidChain !== 'Testnet') return 'Invalid chain';
  if (nonce !== action.time) return 'Nonce does not match the time of the action';
  if (nonce < nowMs - 2 * DAY_MS || nonce > nowMs + DAY_MS) return 'Invalid nonce: out of range';
  if (action.token.split(':')[0] !== 'HYPE') return 'Unknown token';
  return undefined;
}

/** wei */
export function amountOf({ action }: SpotSendRequest): bigint {
  return parseUnits(action.amount, 18);
}
