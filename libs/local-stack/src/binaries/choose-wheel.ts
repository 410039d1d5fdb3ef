/** One file of a release, as PyPI's JSON names it. */
export interface ReleaseFile {
  filename: string;
  /** May be relative to the address it was read from. */
  url: string;
  digests: { sha256: string };
}

const OPERATING_SYSTEMS: Partial<Record<NodeJS.Platform, RegExp>> = {
  linux: /manylinux|musllinux/,
  darwin: /macosx/,
};

const PROCESSORS: Partial<Record<NodeJS.Architecture, RegExp>> = {
  x64: /_x86_64|_universal2/,
  arm64: /_aarch64|_arm64|_universal2/,
};

/**
 * The wheel of a release that fits this machine, by the platform tags in its name (PEP 425: the part after the last dash).
 * @returns undefined when none fits
 */
export function chooseWheel(
  files: readonly ReleaseFile[],
  platform: NodeJS.Platform,
  architecture: NodeJS.Architecture,
): ReleaseFile | undefined {
  const system = OPERATING_SYSTEMS[platform];
  const processor = PROCESSORS[architecture];
  return files.find(({ filename }) => {
    if (!filename.endsWith('.whl')) return false;
    const tags = (filename.slice(0, -'.whl'.length).split('-').at(-1) ?? '').split('.');
    return tags.some((tag) => system?.test(tag) && processor?.test(tag));
  });
}
