import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKeyEntry, ApiKeyScope } from './api-key-file.ts';

/** The client of an API key, by name. It never has the key itself. */
export interface ApiKeyOwner {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** First 8 digits of the hash, which distinguish the valid keys of a client in logs and do not reveal the key. */
  readonly keyId: string;
}

interface KnownKey {
  readonly hash: Buffer;
  readonly owner: ApiKeyOwner;
}

/** The last valid key on a connection, with its owner. */
interface Presented {
  readonly key: Buffer;
  readonly owner: ApiKeyOwner;
  /** The valid keys at that time. */
  readonly known: readonly KnownKey[];
}

const digest = (key: string) => hash('sha256', key, 'buffer');
const isSame = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);

/** The valid API keys. Keys are long random strings, so one SHA-256 protects them; a slow hash would only cost time. */
export class ApiKeys {
  private known: readonly KnownKey[];
  private readonly presented = new WeakMap<object, Presented>();

  constructor(entries: readonly ApiKeyEntry[]) {
    this.known = entries.map(knownKey);
  }

  /** Replaces the valid keys. */
  replace(entries: readonly ApiKeyEntry[]): void {
    this.known = entries.map(knownKey);
  }

  /** Owner of a presented key. Compares with every hash, each in constant time, so that the duration reveals nothing. */
  ownerOf(presented: string): ApiKeyOwner | undefined {
    const presentedHash = digest(presented);
    let owner: ApiKeyOwner | undefined;
    for (const key of this.known) {
      if (timingSafeEqual(key.hash, presentedHash)) owner = key.owner;
    }
    return owner;
  }

  /**
   * Owner of the key of a request. Requests of one connection mostly present the same key, so it is hashed once. The comparison
   * is in constant time too, because a proxy sends requests of many clients over one connection.
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
