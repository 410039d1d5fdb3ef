/** The signer's address in lower case; undefined if no key makes these bytes. @param recovered viem's recovered address */
export async function signerOf(recovered: Promise<string>): Promise<string | undefined> {
  try {
    return (await recovered).toLowerCase();
  } catch {
    // No key makes these bytes.
    return undefined;
  }
}
