import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Colours of the theme (libs/ui tokens.css), inlined: the page belongs to no build and loads no file of one. */
const STYLE = `
    html { color-scheme: light dark; background: #f1f6f3; color: #08201a; --link: #00614f; }
    body { margin: 0; font: 1.0625rem/1.6 system-ui, sans-serif; }
    main { max-width: 40rem; margin: 0 auto; padding: min(4.5rem, 15vw) min(1.5rem, 7.5vw); }
    h1 { margin: 0 0 1rem; font-size: clamp(1.875rem, 1.55rem + 1.5vw, 2.75rem); line-height: 1.15; }
    a { color: var(--link); }
    @media (prefers-color-scheme: dark) {
      html { background: #05100e; color: #e8f5f0; --link: #73efc9; }
    }
  `;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>There is no such page</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>There is no such page</h1>
      <p>The address is wrong or incomplete.</p>
      <p><a href="/">Go to the start</a></p>
    </main>
  </body>
</html>
`;

/** Allows nothing but this very style and the icon. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');

/** Answers 404: with a page for browsers, with plain text for other clients. */
export function notFound({ headers }: IncomingMessage, response: ServerResponse): void {
  const isVisitor = headers.accept?.includes('text/html') ?? false;
  response.statusCode = 404;
  response.setHeader('cache-control', 'no-store');
  response.setHeader('vary', 'accept');
  response.setHeader('content-type', `text/${isVisitor ? 'html' : 'plain'}; charset=utf-8`);
  if (isVisitor) response.setHeader('content-security-policy', POLICY);
  response.end(isVisitor ? PAGE : 'Not found\n');
}
