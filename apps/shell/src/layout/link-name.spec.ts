import { describe, expect, it } from 'vitest';
import { linkName } from './link-name.ts';

describe('header links', () => {
  it.each([
    ['https://x.com/maker', 'X'],
    ['https://www.t.me/maker', 'Telegram'],
    ['https://discord.gg/maker', 'Discord'],
    ['https://chat.example.org/room', 'chat.example.org'],
  ])('calls %s %s', (url, name) => {
    expect(linkName(url)).toBe(name);
  });
});
