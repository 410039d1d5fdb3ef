import type { Address } from 'viem';
import type { RpcRequest } from '../scanner/rpc-request.ts';

/** `factory()`, which pairs and pools have. */
const FACTORY = '0xc45a0155';
const WORD = /^0x0{24}([0-9a-f]{40})$/i;

/** What the chain says of an address that is to receive money. */
export interface RecipientFacts {
  /** `0x` of a wallet. */
  readonly code: string;
  /** What its `factory()` answers, which pools have; undefined where it has none. */
  readonly factory?: string | undefined;
}

/** Reads what an address is: one request for a wallet, two for a contract. @throws where the chain cannot be read */
export async function readRecipientFacts(request: RpcRequest, address: Address): Promise<RecipientFacts> {
  const code = await request({ method: 'eth_getCode', params: [address, 'latest'] });
  if (typeof code !== 'string' || !code.startsWith('0x')) throw new Error('the node answered eth_getCode with no code');
  if (code === '0x') return { code };
  // A contract without this function reverts, or answers with anything.
  const answer = await request({ method: 'eth_call', params: [{ to: address, data: FACTORY }, 'latest'] }).catch(
    () => undefined,
  );
  const [, factory] = WORD.exec(String(answer)) ?? [];
  return { code, factory: factory && `0x${factory}` };
}
