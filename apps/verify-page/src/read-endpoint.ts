/** Reads what the visitor typed. @returns undefined for anything but an https address: the page may reach no other */
export function readEndpoint(text: string): URL | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return url?.protocol === 'https:' ? url : undefined;
}
