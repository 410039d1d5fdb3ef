import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isUnguessableKey } from './idempotency-key.ts';

const RANDOM = {
  'a UUID v4': '8c1b5f0e-3f0d-4c0a-9f5e-2f1f6f0c9a11',
  'a UUID v4 in capitals': '8C1B5F0E-3F0D-4C0A-9F5E-2F1F6F0C9A11',
  '128 bits in hex': 'f3a90c17d2586be4417c95f02be8d36a',
  '256 bits in hex': '9d4e1f7ab0c83562f91ce06d27b45a88134f7ec0ab95d2613fe847095cb1da62',
  '132 bits in base64url': 'vK3x_9QmT0bZr8LdWfY2cA',
  'a nanoid of 21 characters': 'V1StGXR8_Z5jdHi6B-myT',
};

const GUESSABLE = {
  'an order number': 'order-1234',
  'an order number with a prefix': 'ts-1234',
  'a form of an open page': 'form-1',
  nothing: '',
  'a UUID v1': 'e4eaaaf2-d142-11e1-b3e4-080027620cdd',
  'a UUID v3': '9125a8dc-52ee-365b-a5aa-81b0b3681cf6',
  'a UUID v5 of a name': '11a38b9a-b3da-360f-9353-a5a725514269',
  'a UUID v6': '1ec9414c-232a-6b00-b3c8-9f6bdeced846',
  'a UUID v7': '018f3c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
  'a UUID v7 without hyphens': '018f3c2e7b1a7c3d9e4f5a6b7c8d9e0f',
  'a UUID v1 without hyphens': 'e4eaaaf2d14211efb3e4080027620cdd',
  'the nil UUID': '00000000-0000-0000-0000-000000000000',
  'the largest UUID': 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'a UUID v4 of zeros': '00000000-0000-4000-8000-000000001234',
  'a UUID v4 of a typed sequence': '12345678-1234-4234-8234-123456789012',
  'a UUID v4 of an example': 'a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d',
  'a UUID in a longer text': 'order-8c1b5f0e-3f0d-4c0a-9f5e-2f1f6f0c9a11',
  'a ULID': '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'an ObjectId': '507f1f77bcf86cd799439011',
  'a cuid': 'cjld2cjxh0000qzrmn831i7rn',
  'an xid': '9m4e2mr0ui3e8a215n4g',
  'a time in digits': '20261128214456123456789012345678',
  'too few random digits of hex': 'f3a90c17d2586be4417c95f02be8d3',
  'too few random characters': 'vK3x_9QmT0bZr8LdWfY',
  'one character': 'a'.repeat(64),
  'a repeated word': 'deadbeef'.repeat(4),
  'a repeated order number': 'order-1234-order-1234-order-1234',
  'digits in a row': '0123456789abcdef0123456789abcdef',
  'letters in a row': 'abcdefghijklmnopqrstuvwxyzABCDEF',
  'a padded number': '00000000000000000000000000001234',
  'a padded order number': 'order-1234-xxxxxxxxxxxxxxxxxxxxxxxx',
  'a padded order number in two cases': 'Order-1234-XxXxXxXxXxXxXxXxXxXxXxXx',
  'a sentence': 'my-secret-idempotency-key-of-order-1234',
  'a sentence in capitals': 'MY_SECRET_IDEMPOTENCY_KEY_OF_ORDER_1234',
  'a wallet and an order': '0x5555555555555555555555555555555555555555-1234',
};

describe('isUnguessableKey', () => {
  it.each(Object.entries(RANDOM))('accepts %s', (_, key) => {
    expect(isUnguessableKey(key)).toBe(true);
  });

  it.each(Object.entries(GUESSABLE))('refuses %s', (_, key) => {
    expect(isUnguessableKey(key)).toBe(false);
  });

  it('accepts random keys', () => {
    for (let round = 0; round < 1000; round++) {
      const keys = [randomUUID(), randomBytes(32).toString('hex'), randomBytes(24).toString('base64url')];
      expect(keys.filter((key) => !isUnguessableKey(key))).toEqual([]);
    }
  });
});
