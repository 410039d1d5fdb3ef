import { describe, expect, it } from 'vitest';
import { renderPages } from './prerender.tsx';

const pages = renderPages({
  scripts: ['/assets/shell.js'],
  styles: ['/assets/shell.css'],
  federation: ['/assets/federation.js'],
});
const landing = pages['index.html'] ?? '';

describe('pre-rendered pages', () => {
  it.each([
    'Boosted Activity.',
    'Increased Visibility.',
    'Micro-level activity',
    '>START</button>',
    'Active Bots',
    'Latest Job',
    'Network',
    'HyperEVM Online',
    '30% fee, end shown before you pay',
    'Send HYPE: the tokens come to you',
    'Example receipt',
    'By continuing, you accept our <a href="/terms">Terms of Service</a>',
  ])("say '%s' before any script has run (specification § 2)", (text) => {
    expect(landing).toContain(text);
  });

  it('link to no site of others and claim no jobs', () => {
    expect(landing).not.toMatch(/href="https?:/);
    expect(landing).not.toContain('No recent jobs');
  });

  it.each(Object.entries(pages))('%s has no inline script or style', (_, html) => {
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
  });

  it('are two: the wizard and the terms', () => {
    expect(Object.keys(pages)).toEqual(['index.html', 'terms/index.html']);
    expect(pages['terms/index.html']).toContain('data-page="terms"');
    expect(pages['terms/index.html']).not.toContain('START');
  });

  it('preload the federation runtime on the terms only', () => {
    expect(pages['terms/index.html']).toContain('href="/assets/federation.js"');
    expect(pages['terms/index.html']).toContain('href="/remotes/terms/remoteEntry.js"');
    expect(landing).not.toMatch(/federation|remoteEntry/);
  });
});
