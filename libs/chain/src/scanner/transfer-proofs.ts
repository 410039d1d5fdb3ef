import { LRUCache } from 'lru-cache';
import type { Address, Hash } from 'viem';
import { Hosts } from '../agreement/hosts.ts';
import type { ChainClient } from '../client.ts';
import type { Network } from '../networks.ts';
import { type LocatedProof, proveTransfer } from './prove-transfer.ts';

/** Logger for refuted claims. */
export interface ProofLogger {
  error(details: object, message: string): void;
}

/** Transfers to a wallet that another service claims are from one sender. */
export interface SenderClaim {
  readonly sender: Address;
  readonly wallet: Address;
  readonly transfers: readonly { readonly transactionHash: Hash; readonly amountWei: bigint }[];
}

/**
 * Verdict on a claim. `waiting`: endpoints do not answer, or do not agree yet. `refuted`: a signature refutes it, or all endpoints denied
 * it for too long. `unprovable`: only one host is configured, and it is not trusted.
 */
export type ClaimVerdict = 'proven' | 'refuted' | 'unprovable' | 'waiting';

/** Most transfers that one call checks on the chain: strangers can cause any number of them. */
const MOST_PARALLEL = 8;

/** Time for which all endpoints must deny a claim before it is refuted, ms: longer than a node takes to catch up. */
const DENIED_AT_LEAST_MS = 300_000;

/** Pauses between two checks of one transfer, ms; they double. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/** Most remembered transfers. */
const MOST_REMEMBERED = 10_000;

interface Known extends LocatedProof {
  readonly tries: number;
  readonly nextAtMs: number;
  /** Since when all endpoints deny it, ms. */
  readonly deniedSinceMs: number | undefined;
}

/** Proves the senders of a wallet's transfers on the chain: each transfer once, a few at a time. Source: docs/adr/0075. */
export class TransferProofs {
  private readonly known = new LRUCache<string, Known>({ max: MOST_REMEMBERED });
  /** Running checks by transfer: concurrent callers share one check. */
  private readonly running = new Map<string, Promise<void>>();
  private readonly hosts: Hosts;
  private readonly chainId: number;
  private readonly now: () => number;
  private readonly logger: ProofLogger;

  /** @param trustsSingle whether one host's answer is enough where no second one answers @param now ms */
  constructor(
    chain: { readonly client: ChainClient; readonly network: Network },
    trustsSingle: boolean,
    now: () => number,
    logger: ProofLogger,
  ) {
    this.hosts = new Hosts(chain.client, trustsSingle);
    this.chainId = chain.network.chainId;
    this.now = now;
    this.logger = logger;
  }

  async prove(claim: SenderClaim): Promise<ClaimVerdict> {
    const { transfers } = claim;
    const hashes = new Set(transfers.map(({ transactionHash }) => transactionHash));
    if (transfers.length === 0 || hashes.size < transfers.length) return 'refuted';
    if (!this.hosts.trustsSingle && this.hosts.count < 2) return 'unprovable';
    const nowMs = this.now();
    const keys = transfers.map((transfer) => keyOf(claim, transfer));
    const due = transfers.filter((_, index) => this.isDue(keys[index] ?? '', nowMs)).slice(0, MOST_PARALLEL);
    await Promise.all(due.map((transfer) => this.ask(claim, transfer, nowMs)));
    const known = keys.map((key) => this.known.get(key));
    if (known.some((one) => one && isRefuted(one, nowMs))) return 'refuted';
    return known.every((one) => one?.proof === 'proven') ? 'proven' : 'waiting';
  }

  /**
   * Proves one transfer, and returns the block that holds it. It repeats a proof of another block: a reorganisation may have moved the
   * transfer. Only the signature can refute it; a long denial by endpoints cannot.
   * @param atBlock the reported block
   */
  async proveInBlock(
    sender: Address,
    wallet: Address,
    transfer: SenderClaim['transfers'][number],
    atBlock: number,
  ): Promise<{ readonly verdict: ClaimVerdict; readonly blockNumber?: number }> {
    const claim = { sender, wallet, transfers: [transfer] };
    const key = keyOf(claim, transfer);
    const before = this.known.get(key);
    if (before?.proof === 'proven' && before.blockNumber !== atBlock && before.nextAtMs <= this.now())
      await this.ask(claim, transfer, this.now());
    const verdict = await this.prove(claim);
    const { proof, blockNumber } = this.known.get(key) ?? {};
    if (verdict === 'refuted' && proof !== 'false') return { verdict: 'waiting' };
    return { verdict, ...(blockNumber !== undefined && { blockNumber }) };
  }

  /**
   * Whether the newest block of proven transfers is after a time. One host that shows it in time is enough, so that no lying host turns
   * an honest payment away.
   * @param timeMs time of the chain, ms @returns undefined while a transfer is not proven, or too few hosts answer
   */
  async minedAfter(claim: SenderClaim, timeMs: number): Promise<boolean | undefined> {
    const blocks = claim.transfers.map((transfer) => this.known.get(keyOf(claim, transfer))?.blockNumber);
    if (blocks.length === 0 || !blocks.every((block) => block !== undefined)) return undefined;
    const blockNumber = BigInt(Math.max(...blocks));
    const answers = await this.hosts.answers((client) => client.getBlock({ blockNumber }));
    if (answers.some(({ timestamp }) => Number(timestamp) * 1000 <= timeMs)) return false;
    return answers.length < this.hosts.enough ? undefined : true;
  }

  private isDue(key: string, nowMs: number): boolean {
    const known = this.known.get(key);
    return !known || (known.proof !== 'proven' && known.proof !== 'false' && known.nextAtMs <= nowMs);
  }

  private ask(claim: SenderClaim, transfer: SenderClaim['transfers'][number], nowMs: number): Promise<void> {
    const key = keyOf(claim, transfer);
    const asked =
      this.running.get(key) ?? this.readProof(claim, transfer, nowMs).finally(() => this.running.delete(key));
    this.running.set(key, asked);
    return asked;
  }

  private async readProof(
    claim: SenderClaim,
    transfer: SenderClaim['transfers'][number],
    nowMs: number,
  ): Promise<void> {
    const claimed = { ...transfer, from: claim.sender, to: claim.wallet };
    const located = await proveTransfer(this.hosts, claimed, this.chainId);
    const key = keyOf(claim, transfer);
    const { tries = 0, deniedSinceMs = nowMs } = this.known.get(key) ?? {};
    const since = located.proof === 'contradicted' ? deniedSinceMs : undefined;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
    const known: Known = { ...located, tries: tries + 1, nextAtMs: nowMs + pauseMs, deniedSinceMs: since };
    this.known.set(key, known);
    if (isRefuted(known, nowMs)) {
      const { sender, wallet } = claim;
      this.logger.error(
        { ...claimed, amountWei: claimed.amountWei.toString(), sender, wallet, proof: located.proof },
        'sender refuted',
      );
    }
  }
}

function isRefuted({ proof, deniedSinceMs }: Known, nowMs: number): boolean {
  return proof === 'false' || (deniedSinceMs !== undefined && nowMs - deniedSinceMs >= DENIED_AT_LEAST_MS);
}

function keyOf(
  { sender, wallet }: SenderClaim,
  { transactionHash, amountWei }: SenderClaim['transfers'][number],
): string {
  return [transactionHash, sender, wallet, amountWei].join(' ').toLowerCase();
}
