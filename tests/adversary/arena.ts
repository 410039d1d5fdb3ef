import { type HostileContract, type OwnArtifact, ownArtifacts, type RunningStack } from '@maker/local-stack';
import { type Address, type Hex, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { Actor } from './actor.ts';
import { deployer, type Market, openMarkets, type PoolShape } from './markets.ts';

/** Price of the smallest job in the arena, HYPE: it makes about a dozen orders. */
export const PAID = '0.15';

/** Orders of a job are spread over this time, s. */
const WINDOW_SECONDS = 15;

/** Time until a job expires, and time that pauses may add to its orders; s. */
const TIMES = {
  JOB_PAYMENT_TIMEOUT_SECONDS: '90',
  JOB_PAUSE_ALLOWANCE_SECONDS: '60',
};

/** The job service plans by its own clock, so the chain's clock runs at the same speed. */
const FOUR_BLOCKS_A_SECOND = { blockMs: 250, secondsPerBlock: 0 };

const TOKEN = parseAbi(['function balanceOf(address owner) view returns (uint256)']);

/** One stack in which hostile jobs run side by side, with an attacker's control of its chain. */
export class Arena {
  private constructor(
    private readonly running: RunningStack,
    /** The payer and an independent reader of the chain, by another endpoint than the services'. */
    readonly product: ProductClient,
    private readonly own: Record<HostileContract, OwnArtifact>,
    /** Has all tokens outside the pools. */
    readonly owner: Actor,
    private readonly free: Market[],
  ) {}

  /**
   * @param shapes of the markets to open
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

  /** A market that no case has used. */
  market(shape: PoolShape): Market {
    const index = this.free.findIndex((market) => market.shape === shape);
    const [market] = index < 0 ? [] : this.free.splice(index, 1);
    if (!market) throw new Error(`no market of the shape ${shape} is left: open more`);
    return market;
  }

  /** A new address without a known key. */
  newAddress(): Address {
    return privateKeyToAddress(generatePrivateKey());
  }

  /** An actor with newly minted HYPE. */
  newActor(wei: bigint): Promise<Actor> {
    return Actor.with(this.stack, wei);
  }

  /** Replaces the code of an address, as an upgrade does; its storage stays. */
  async become(address: Address, contract: HostileContract | 'nothing'): Promise<void> {
    await this.setCode(address, contract === 'nothing' ? '0x' : this.own[contract].deployedBytecode);
  }

  /** Gas of a hostile contract's deployment. */
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
