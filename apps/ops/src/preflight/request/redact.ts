/** Shorter parts of a URL are no keys but words such as `v2` and `evm`. */
const SHORTEST_SECRET = 6;

/** Labels of a provider's domain name; labels before them may be a customer's. */
const PROVIDER_LABELS = 2;

const REDACTED = '[redacted]';

/** Returns an endpoint's URL without possible keys. */
export function shownUrl(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const isNumber = /^[\d.]+$|^\[/.test(hostname);
  const labels = hostname.split('.');
  const shown = labels.map((label, index) =>
    !isNumber && index < labels.length - PROVIDER_LABELS && label.length >= SHORTEST_SECRET ? REDACTED : label,
  );
  return `${protocol}//${shown.join('.')}${port && `:${port}`}`;
}

/** Returns a function that removes possible keys from a text: providers repeat them in errors. */
export function redactor(urls: readonly string[]): (text: string) => string {
  const secrets = [...new Set(urls.flatMap(secretsOf))].sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
}

function secretsOf(url: string): readonly string[] {
  const { username, password, pathname, searchParams, hostname } = new URL(url);
  const parts = [
    username,
    password,
    ...pathname.split('/'),
    ...searchParams.values(),
    ...hostname.split('.').slice(0, -PROVIDER_LABELS),
  ];
  return parts.flatMap((part) => [part, decodeURIComponent(part)]).filter((part) => part.length >= SHORTEST_SECRET);
}
