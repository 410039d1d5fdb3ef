import { type Hex, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import {
  type ArrivedCall,
  type Ask,
  type Fault,
  FaultyNode,
} from '../../libs/chain/src/endpoints/faulty-node.fixture.ts';

/** A transaction that a service hands to the node. */
export interface Broadcast {
  readonly rawTransaction: Hex;
  readonly sender: string;
  readonly nonce: number;
  readonly to: string | null | undefined;
}

/**
 * What becomes of a broadcast. `pass`; `lose_answer`: the node takes it, the connection is reset instead of the answer;
 * `swallow_answer`: the node takes it, and no answer ever comes; `refuse`: it is reset before the node hears of it.
 */
export type BroadcastFate = 'pass' | 'lose_answer' | 'swallow_answer' | 'refuse';

/** Decides for each broadcast; may wait as long as it likes, with which the request is held back. */
export type Intercept = (broadcast: Broadcast) => Promise<BroadcastFate> | BroadcastFate;

/** Stands before a node and understands what services say to it. */
export class InterceptedRpc extends FaultyNode {
  /** All pass by default. */
  intercept: Intercept = () => 'pass';
  override fault = (call: ArrivedCall, ask: Ask) => this.faultOf(call, ask);

  /** Where services reach the node. */
  get port(): number {
    return Number(new URL(this.url).port);
  }

  private async faultOf(call: ArrivedCall, ask: Ask): Promise<Fault | undefined> {
    if (call.method !== 'eth_sendRawTransaction') return undefined;
    const [rawTransaction] = call.params as [TransactionSerialized];
    const { nonce = 0, to } = parseTransaction(rawTransaction);
    const sender = await recoverTransactionAddress({ serializedTransaction: rawTransaction as `0x02${string}` });
    const fate = await this.intercept({ rawTransaction, sender, nonce, to });
    if (fate === 'pass') return undefined;
    if (fate !== 'refuse') await ask(call);
    return fate === 'swallow_answer' ? 'silence' : 'reset';
  }
}
