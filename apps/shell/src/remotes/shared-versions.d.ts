/** Versions of the packages that the shell provides, put in by the build. */
declare const SHARED_VERSIONS: Readonly<Record<string, string>>;
