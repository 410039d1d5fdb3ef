import { globSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitepress';
import { NOT_PAGES, ROOT, siteFile, siteLink, titleOf } from './pages.ts';

const page = (file: string, text = titleOf(file)) => ({ text, link: `/${siteFile(file)}` });
const folder = (path: string) =>
  readdirSync(join(ROOT, path))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => page(`${path}/${name}`));
const readmes = (path: string) =>
  globSync('*/README.md', { cwd: join(ROOT, path) })
    .sort()
    .map((name) => page(`${path}/${name}`, `${path}/${dirname(name)}`));

const decisions = folder('docs/adr');
const runbooks = folder('docs/runbooks');
const units = [
  { text: 'Apps', items: readmes('apps') },
  { text: 'Libraries', items: readmes('libs') },
  { text: 'Test suites', items: readmes('tests') },
];
const values = { text: 'Values', link: '/charts/hyperevm-maker-bot/#values' };

const main = [
  { text: 'Try it', items: [page('docs/try-it.md', 'Your first job')] },
  {
    text: 'Operate',
    items: [
      page('docs/operate.md', 'Overview'),
      page('docs/operate/install.md'),
      page('docs/operate/boards.md'),
      page('docs/operate/backup.md'),
      page('docs/going-live.md'),
      page('charts/hyperevm-maker-bot/README.md', 'Chart'),
      page('charts/hyperevm-maker-bot/UPGRADING.md'),
      page('k8s/README.md', 'Around the chart'),
      page('docs/keys.md'),
      page('docs/threats.md', 'Threats'),
      page('docs/scaling.md'),
      page('docs/releasing.md'),
      { text: 'Runbooks', link: runbooks[0]?.link },
    ],
  },
  {
    text: 'Integrate',
    items: [
      page('docs/integrate.md', 'Overview'),
      page('docs/integrate/quickstart.md'),
      page('docs/webhooks.md'),
      page('docs/receipt.md'),
      page('docs/integrate/versioning.md'),
    ],
  },
  {
    text: 'Understand',
    items: [
      page('docs/architecture.md'),
      page('docs/design.md'),
      page('docs/specification.md'),
      page('docs/glossary.md'),
      page('docs/hyperevm.md'),
      page('docs/hyperevm-node.md'),
      page('docs/quality.md'),
      { text: 'Decisions', link: decisions[0]?.link },
    ],
  },
  {
    text: 'Contribute',
    items: [
      page('CONTRIBUTING.md', 'Overview'),
      page('docs/recipes.md'),
      page('docs/measurements.md'),
      page('docs/specification-coverage.md'),
      page('docs/chart-parity.md'),
      page('docs/screens/README.md'),
      { text: 'Apps and libraries', link: units[0]?.items[0]?.link },
    ],
  },
  {
    text: 'Reference',
    items: [
      values,
      page('docs/metrics.md'),
      page('docs/alerts.md'),
      page('docs/errors.md'),
      page('CHANGELOG.md', 'Changelog'),
    ],
  },
];
const sidebar = {
  '/adr/': [{ text: 'Decisions', items: decisions }],
  '/runbooks/': [{ text: 'Runbooks', items: runbooks }],
  '/apps/': units,
  '/libs/': units,
  '/tests/': units,
  '/': main,
};
const nav = [
  { text: 'Try it', link: '/try-it' },
  { text: 'Operate', link: '/operate' },
  { text: 'Integrate', link: '/integrate' },
  { text: 'Understand', link: '/architecture' },
  { text: 'Contribute', link: '/contributing' },
  { text: 'Reference', link: '/metrics' },
];

export default defineConfig({
  title: 'HyperEVM Maker Bot',
  description: 'Documentation of the HyperEVM Maker Bot',
  lang: 'en',
  srcDir: '..',
  srcExclude: NOT_PAGES,
  rewrites: siteFile,
  outDir: '.vitepress/dist',
  cacheDir: '.vitepress/cache',
  // Biome does not keep front matter: the first page is wider for its table.
  transformPageData(page) {
    if (page.relativePath === 'index.md') page.frontmatter.aside = false;
  },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    html: false,
    image: { lazyLoading: true },
    config(md) {
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const token = tokens[index];
        if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? '';
        return `<Diagram source="${encodeURIComponent(token.content)}" />`;
      };
      md.core.ruler.push('repository-links', ({ tokens, env }) => {
        const from = relative(ROOT, env.realPath ?? env.path);
        for (const { children } of tokens) {
          let open = true;
          for (const token of children ?? []) {
            if (token.type === 'link_close' && !open) token.tag = 'span';
            if (token.type !== 'link_open') continue;
            open = true;
            const href = token.attrGet('href') ?? '';
            if (/^([a-z]+:|#|\/)/.test(href)) continue;
            const link = siteLink(from, href);
            if (link === 'source') {
              token.tag = 'span';
              token.attrs = [];
              open = false;
            } else token.attrSet('href', link.page);
          }
        }
      });
    },
  },
});
