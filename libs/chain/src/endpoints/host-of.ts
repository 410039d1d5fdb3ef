/**
 * The host behind an endpoint's URL, for counting independent hosts: its name or IP address, without the port. Two ports of one host
 * are one host. `URL` writes names in lower case and IP addresses in one form.
 */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
