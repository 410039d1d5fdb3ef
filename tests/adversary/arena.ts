import { type HostileContract, type OwnArtifact, ownArtifacts, type RunningStack } from '@maker/local-stack';
import { type Address, type Hex, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { Actor } from './actor.ts';
import { deployer, type Market, openMarkets, type PoolShape } from './markets.ts';

/** What the smallest job of the arena costs, HYPE: it makes about a dozen orders. */
export const PAID = '0.15';

/** Orders of a job are spread over so many seconds. */
const WINDOW_SECONDS = 15;

/** Until a job expires, and what pauses may add to its orders; s. */
const TIMES = {
  JOB_PAYMENT_TIMEOUT_SECONDS: '90',
  JOB_PAUSE_ALLOWANCE_SECONDS: '60',
};

/** Plans are made by the clock of the job service: the chain's goes as ours does. */
const FOUR_BLOCKS_A_SECOND = { blockMs: 250, secondsPerBlock: 0 };

const TOKEN = parseAbi(['function balanceOf(address owner) view returns (uint256)']);

/** One stack in which hostile jobs run side by side, and what those who mean harm can do to its chain. */
export class Arena {
  private constructor(
    private readonly running: RunningStack,
    /** The payer, and who looks at the chain: not by the endpoint of the services. */
    readonly product: ProductClient,
    private readonly own: Record<HostileContract, OwnArtifact>,
    /** Has all tokens that are in no pool. */
    readonly owner: Actor,
    private readonly free: Market[],
  ) {}

  /**
   * @param shapes of the markets that there are to be
   * @param windowSeconds over which orders of a job are spread @param depthWei of the pools' HYPE
   */
  static async start(
    shapes: readonly PoolShape[],
    { windowSeconds = WINDOW_SECONDS, depthWei }: { windowSeconds?: number; depthWei?: bigint } = {},
  ): Promise<Arena> {
    const environment = {
      job: { MINIMUM_PAYMENT_HYPE: PAID, ...TIMES },
      'maker-executor': { MAKER_LIQUIDITY_TIMEOUT_SECONDS: '30' },
      'payment-watcher': { WATCHER_POLL_INTERVAL_SECONDS: '2' },
    };
    const running = await startOwnStack(windowSeconds, environment, {}, { clock: FOUR_BLOCKS_A_SECOND });
    try {
      const product = new ProductClient({ ...running.stack, rpcUrl: running.stack.chainControlUrl });
      const owner = deployer(running.stack);
      const free = await openMarkets(owner, running.stack, product.chain, shapes, depthWei);
      return new Arena(running, product, await ownArtifacts(), owner, free);
    } catch (error) {
      await running.stop();
      throw error;
    }
  }

  get stack() {
    return this.running.stack;
  }

  stop(): Promise<void> {
    return this.running.stop();
  }

  /** A market that nobody has had before. */
  market(shape: PoolShape): Market {
    const index = this.free.findIndex((market) => market.shape === shape);
    const [market] = index < 0 ? [] : this.free.splice(index, 1);
    if (!market) throw new Error(`no market of the shape ${shape} is left: open more`);
    return market;
  }

  /** An address that nobody has paid before, and nobody has the key of. */
  nobody(): Address {
    return privateKeyToAddress(generatePrivateKey());
  }

  /** Somebody with HYPE from nowhere. */
  somebody(wei: bigint): Promise<Actor> {
    return Actor.with(this.stack, wei);
  }

  /** An address has other code from now on, as after an upgrade; what it has stored stays. */
  async become(address: Address, contract: HostileContract | 'nothing'): Promise<void> {
    await this.setCode(address, contract === 'nothing' ? '0x' : this.own[contract].deployedBytecode);
  }

  /** What a deployment of a hostile contract takes. */
  async deploymentGas(contract: HostileContract | 'nothing' | undefined): Promise<bigint> {
    if (contract === undefined || contract === 'nothing') return 0n;
    return this.product.chain.estimateGas({ account: this.owner.address, data: this.own[contract].bytecode });
  }

  async setCode(address: Address, code: Hex): Promise<void> {
    await this.product.control.request('anvil_setCode', address, code);
  }

  balance(address: Address): Promise<bigint> {
    return this.product.chain.getBalance({ address });
  }

  tokens({ token }: Market, owner: Address): Promise<bigint> {
    return this.product.chain.readContract({ address: token, abi: TOKEN, functionName: 'balanceOf', args: [owner] });
  }

  async chainNowMs(): Promise<number> {
    return Number((await this.product.chain.getBlock()).timestamp) * 1000;
  }
}
