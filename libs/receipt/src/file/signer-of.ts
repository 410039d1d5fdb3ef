/** Who signed, in lower case; undefined where no key makes these bytes. @param recovered as viem recovers an address */
export async function signerOf(recovered: Promise<string>): Promise<string | undefined> {
  try {
    return (await recovered).toLowerCase();
  } catch {
    // No key makes these bytes.
    return undefined;
  }
}
