import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKeyEntry, ApiKeyScope } from './api-key-file.ts';

/** Who asks: known by name, never by the key itself. */
export interface ApiKeyOwner {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Tells the live keys of a client apart in logs: the first 8 digits of the hash, of which no key can be made. */
  readonly keyId: string;
}

interface KnownKey {
  readonly hash: Buffer;
  readonly owner: ApiKeyOwner;
}

/** The key that was presented on a connection last, and whose it is. */
interface Presented {
  readonly key: Buffer;
  readonly owner: ApiKeyOwner;
  /** The keys that were let in then. */
  readonly known: readonly KnownKey[];
}

const digest = (key: string) => hash('sha256', key, 'buffer');
const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);

/** The API keys that are let in. Keys are long random strings, so one SHA-256 keeps them; a slow hash would only cost. */
export class ApiKeys {
  private known: readonly KnownKey[];
  private readonly presented = new WeakMap<object, Presented>();

  constructor(entries: readonly ApiKeyEntry[]) {
    this.known = entries.map(knownKey);
  }

  /** From now on these are let in, and no others. */
  replace(entries: readonly ApiKeyEntry[]): void {
    this.known = entries.map(knownKey);
  }

  /** Who owns a presented key. Compares with every hash, each in constant time, so that time tells nothing. */
  ownerOf(presented: string): ApiKeyOwner | undefined {
    const presentedHash = digest(presented);
    let owner: ApiKeyOwner | undefined;
    for (const key of this.known) {
      if (timingSafeEqual(key.hash, presentedHash)) owner = key.owner;
    }
    return owner;
  }

  /**
   * The same for one request of a connection after the other, which mostly present one key: that is hashed once. It is compared
   * in constant time too, since a proxy sends the requests of many clients over one connection.
   */
  ownerOn(connection: object, presented: string): ApiKeyOwner | undefined {
    const key = Buffer.from(presented);
    const last = this.presented.get(connection);
    if (last?.known === this.known && isSame(last.key, key)) return last.owner;
    const owner = this.ownerOf(presented);
    if (owner) this.presented.set(connection, { key, owner, known: this.known });
    return owner;
  }
}

function knownKey({ name, sha256, scopes }: ApiKeyEntry): KnownKey {
  return { hash: Buffer.from(sha256, 'hex'), owner: { name, scopes, keyId: sha256.slice(0, 8) } };
}
