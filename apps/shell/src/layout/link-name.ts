const KNOWN: Readonly<Record<string, string>> = {
  'x.com': 'X',
  'twitter.com': 'X',
  't.me': 'Telegram',
  'telegram.me': 'Telegram',
  'discord.gg': 'Discord',
  'discord.com': 'Discord',
};

/** Label of a configured link in the header: the network's name, or the site's host. */
export function linkName(url: string): string {
  const host = new URL(url).hostname.replace(/^www\./, '');
  return KNOWN[host] ?? host;
}
