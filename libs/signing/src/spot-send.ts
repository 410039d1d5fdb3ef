import { type Address, type Hex, numberToHex, type TypedDataDefinition } from 'viem';

/** A transfer of HYPE or another token to an address on HyperCore. */
export interface SpotSend {
  /** The HyperCore that it is for: the other one refuses the action. */
  readonly hyperCoreChain: 'Mainnet' | 'Testnet';
  /** Chain id of its HyperEVM. It is part of the signature's domain and has no other effect. */
  readonly chainId: number;
  readonly destination: Address;
  /** Name and id, such as `HYPE:0x0d01dc56dcaaca66ad901c959b4011ec`. */
  readonly token: string;
  /** In whole tokens, as a decimal number. */
  readonly amount: string;
  /** Time in ms; HyperCore refuses a second action of an address with the same time. */
  readonly timeMs: number;
}

/** The action in the form of HyperCore's exchange API. */
export interface SpotSendAction extends Record<string, unknown> {
  readonly type: 'spotSend';
  readonly signatureChainId: Hex;
  readonly hyperliquidChain: SpotSend['hyperCoreChain'];
  readonly destination: Address;
  readonly token: string;
  readonly amount: string;
  readonly time: number;
}

/** Body for HyperCore's exchange API; a retry posts it unchanged. */
export interface SignedSpotSend {
  readonly action: SpotSendAction;
  readonly nonce: number;
  readonly signature: { readonly r: Hex; readonly s: Hex; readonly v: number };
}

const SPOT_SEND_FIELDS = [
  { name: 'hyperliquidChain', type: 'string' },
  { name: 'destination', type: 'string' },
  { name: 'token', type: 'string' },
  { name: 'amount', type: 'string' },
  { name: 'time', type: 'uint64' },
] as const;

/** Creates the action of a transfer. */
export function spotSendAction(send: SpotSend): SpotSendAction {
  return {
    type: 'spotSend',
    signatureChainId: numberToHex(send.chainId),
    hyperliquidChain: send.hyperCoreChain,
    destination: send.destination.toLowerCase() as Address,
    token: send.token,
    amount: send.amount,
    time: send.timeMs,
  };
}

/** Typed data to sign, in viem's form. */
export type UserSignedData = TypedDataDefinition<Record<string, unknown>, string>;

/** Typed data of a transfer's action. */
export function spotSendTypedData(action: SpotSendAction): UserSignedData {
  return userSignedTypedData('HyperliquidTransaction:SpotSend', SPOT_SEND_FIELDS, action);
}

/**
 * HyperCore's typed data for every action that moves a user's own money: EIP-712, its fields in this order, and a domain that
 * differs only by the chain id.
 */
export function userSignedTypedData(
  primaryType: string,
  fields: readonly { readonly name: string; readonly type: string }[],
  action: Record<string, unknown> & { readonly signatureChainId: Hex },
): UserSignedData {
  return {
    domain: {
      name: 'HyperliquidSignTransaction',
      version: '1',
      chainId: Number(action.signatureChainId),
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: { [primaryType]: fields },
    primaryType,
    message: action,
  };
}
