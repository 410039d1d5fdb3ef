import { type Hex, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import {
  type ArrivedCall,
  type Ask,
  type Fault,
  FaultyNode,
} from '../../libs/chain/src/endpoints/faulty-node.fixture.ts';

/** A transaction that a service sends to the node. */
export interface Broadcast {
  readonly rawTransaction: Hex;
  readonly sender: string;
  readonly nonce: number;
  readonly to: string | null | undefined;
}

/**
 * Fate of a broadcast. `pass`; `lose_answer`: the node accepts it, and the connection is reset instead of the answer;
 * `swallow_answer`: the node accepts it, and no answer comes; `refuse`: it is reset before it reaches the node.
 */
export type BroadcastFate = 'pass' | 'lose_answer' | 'swallow_answer' | 'refuse';

/** Decides for each broadcast. May wait, which holds back the request. */
export type Intercept = (broadcast: Broadcast) => Promise<BroadcastFate> | BroadcastFate;

/** A proxy of a node that understands the services' requests. */
export class InterceptedRpc extends FaultyNode {
  /** Passes all by default. */
  intercept: Intercept = () => 'pass';
  override fault = (call: ArrivedCall, ask: Ask) => this.faultOf(call, ask);

  /** The port for services. */
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
