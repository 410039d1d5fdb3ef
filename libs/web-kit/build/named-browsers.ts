/** Oldest supported browsers; they decide how far syntax and CSS are translated, and which APIs a page may use. */
export const NAMED_BROWSERS = { chrome: '120', edge: '120', firefox: '121', safari: '17.2' } as const;
