import { type Address, type Hex, numberToHex, type TypedDataDefinition } from 'viem';

/** HYPE, or another token, that goes to an address on HyperCore. */
export interface SpotSend {
  /** Which HyperCore: an action signed for one is refused by the other. */
  readonly hyperCoreChain: 'Mainnet' | 'Testnet';
  /** Of the HyperEVM beside it. It stands in the signature's domain and decides nothing. */
  readonly chainId: number;
  readonly destination: Address;
  /** Name and id, such as `HYPE:0x0d01dc56dcaaca66ad901c959b4011ec`. */
  readonly token: string;
  /** In whole tokens, as a decimal number. */
  readonly amount: string;
  /** ms; HyperCore takes no two actions of an address with the same. */
  readonly timeMs: number;
}

/** The action as HyperCore's exchange API takes it. */
export interface SpotSendAction extends Record<string, unknown> {
  readonly type: 'spotSend';
  readonly signatureChainId: Hex;
  readonly hyperliquidChain: SpotSend['hyperCoreChain'];
  readonly destination: Address;
  readonly token: string;
  readonly amount: string;
  readonly time: number;
}

/** What is posted to HyperCore's exchange API, and posted again as it is. */
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

/** The action of a send. */
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

/** What is signed, in viem's form. */
export type UserSignedData = TypedDataDefinition<Record<string, unknown>, string>;

/** What is signed of it. */
export function spotSendTypedData(action: SpotSendAction): UserSignedData {
  return userSignedTypedData('HyperliquidTransaction:SpotSend', SPOT_SEND_FIELDS, action);
}

/**
 * The form in which HyperCore has every action signed that moves a user's own money: EIP-712, its fields in this order, and a
 * domain that differs by the chain id alone.
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
