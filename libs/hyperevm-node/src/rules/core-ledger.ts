import type { Hex } from 'viem';
import { SYSTEM_ADDRESS } from './system-transactions.ts';

/** HYPE has 8 decimals on HyperCore and 18 on HyperEVM. */
const CORE_DECIMALS = 8;
const WEI_PER_CORE_UNIT = 10n ** 10n;
/** Index of HYPE among mainnet's spot tokens. */
const HYPE_TOKEN = 150;

/** HYPE that moves from HyperCore to an address of HyperEVM, by a system transaction of the next block. */
export interface Credit {
  to: Hex;
  amountWei: bigint;
}

/** An action that HyperCore rejects. The message is the answer of its API. */
export class CoreRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CoreRefusal';
  }
}

/**
 * HYPE on HyperCore by address. Both layers have the same addresses; money moves between them only by a transfer. Amounts
 * are wei of HyperEVM, kept to HyperCore's precision. Source: hyperevm § 1.1.
 */
export class CoreLedger {
  private readonly units = new Map<Hex, bigint>();
  private credits: Credit[] = [];

  /** Creates HYPE for a test. @throws CoreRefusal for an amount that HyperCore cannot hold */
  credit(address: Hex, amountWei: bigint): void {
    this.add(address, toUnits(amountWei));
  }

  /** Adds an amount from HyperEVM; digits below HyperCore's precision are lost. */
  receiveFromEvm(address: Hex, amountWei: bigint): void {
    this.add(address, amountWei / WEI_PER_CORE_UNIT);
  }

  /**
   * Sends HYPE on HyperCore. HYPE to the system address arrives at the sender's own address on HyperEVM with the next block.
   * @throws CoreRefusal
   */
  send(from: Hex, to: Hex, amountWei: bigint): void {
    const units = toUnits(amountWei);
    if (units > this.of(from)) throw new CoreRefusal('Insufficient balance for withdrawal');
    this.add(from, -units);
    if (to.toLowerCase() === SYSTEM_ADDRESS) this.credits.push({ to: from.toLowerCase() as Hex, amountWei });
    else this.add(to, units);
  }

  /** wei */
  balanceWei(address: Hex): bigint {
    return this.of(address) * WEI_PER_CORE_UNIT;
  }

  /** Returns and removes the credits that wait for the next block. */
  takeCredits(): Credit[] {
    const credits = this.credits;
    this.credits = [];
    return credits;
  }

  /** The answer to `spotClearinghouseState`. */
  spotBalances(address: Hex) {
    const units = this.of(address);
    if (units === 0n) return { balances: [] };
    return { balances: [{ coin: 'HYPE', token: HYPE_TOKEN, total: decimal(units), hold: '0.0', entryNtl: '0.0' }] };
  }

  private of(address: Hex): bigint {
    return this.units.get(address.toLowerCase() as Hex) ?? 0n;
  }

  private add(address: Hex, units: bigint): void {
    this.units.set(address.toLowerCase() as Hex, this.of(address) + units);
  }
}

function toUnits(amountWei: bigint): bigint {
  if (amountWei <= 0n) throw new CoreRefusal('an amount above zero is needed');
  if (amountWei % WEI_PER_CORE_UNIT !== 0n) throw new CoreRefusal(`HyperCore holds HYPE to ${CORE_DECIMALS} decimals`);
  return amountWei / WEI_PER_CORE_UNIT;
}

function decimal(units: bigint): string {
  const digits = units.toString().padStart(CORE_DECIMALS + 1, '0');
  const fraction = digits.slice(-CORE_DECIMALS).replace(/0+$/, '') || '0';
  return `${digits.slice(0, -CORE_DECIMALS)}.${fraction}`;
}
