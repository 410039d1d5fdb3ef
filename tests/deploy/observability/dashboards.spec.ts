import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { render } from '../../../tools/dashboards/board.ts';
import { BOARDS } from '../../../tools/dashboards/boards.ts';
import { DRAWN_BOARDS } from './drawn-panels.ts';
import { expectKnownSeries } from './known-series.ts';
import { partsOf } from './promql.ts';
import { MAY_BE_ZERO } from './quiet-panels.ts';
import { WORKSPACE } from './rule-files.ts';

const DIRECTORY = join(WORKSPACE, 'charts/hyperevm-maker-bot/dashboards');
const MEBIBYTE = 1024 * 1024;
const OVER_TIME = ['timeseries', 'heatmap'];
const KNOWN_UNITS = ['none', 's', 'ops', 'reqps', 'percentunit', 'bytes'];

interface RenderedPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

const panelsOf = (board: (typeof BOARDS)[number]) =>
  (render(board) as { panels: RenderedPanel[] }).panels.map((panel) => ({ ...panel, ...panel.gridPos }));

describe.each(BOARDS)('$title', (board) => {
  const json = `${JSON.stringify(render(board), undefined, 2)}\n`;
  const panels = board.rows.flatMap((row) => row.panels);

  it('matches the chart (npm run dashboards -- --json)', async () => {
    await expect(json).toMatchFileSnapshot(join(DIRECTORY, `${board.uid.replace(/^maker-/, '')}.json`));
  });

  it('fits a ConfigMap with a valid id', () => {
    expect(Buffer.byteLength(json)).toBeLessThan(MEBIBYTE);
    expect(board.uid).toMatch(/^maker-[a-z-]{1,34}$/);
  });

  it('lays panels out without overlap', () => {
    const rendered = panelsOf(board);
    expect(new Set(rendered.map(({ id }) => id)).size).toBe(rendered.length);
    for (const { x, w } of rendered) expect(x + w).toBeLessThanOrEqual(24);
    for (const one of rendered) {
      for (const other of rendered) {
        const apart =
          one.id === other.id ||
          one.x + one.w <= other.x ||
          other.x + other.w <= one.x ||
          one.y + one.h <= other.y ||
          other.y + other.h <= one.y;
        expect(apart, `${one.title} and ${other.title}`).toBe(true);
      }
    }
  });

  it.each(panels)('$title: has title, unit and existing series', ({ title, description, unit, queries }) => {
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(description).toMatch(/^[A-Z0-9].{20,}\.$/s);
    expect(KNOWN_UNITS.includes(unit) || unit.startsWith('suffix:'), unit).toBe(true);
    expect(queries.length).toBeGreaterThan(0);
    for (const { expr } of queries) {
      expectKnownSeries(expr);
      expect(expr).toMatch(/\$namespace|ALERTS/);
      expect(expr).not.toMatch(/\[\d+[sm]\]/);
    }
  });

  it.each(panels)('$title: shows counters by their rise only', ({ queries }) => {
    for (const { expr } of queries) {
      const rising = [...expr.matchAll(/(?:rate|increase)\(([\w:]+)/g)].map(([, name]) => name);
      for (const name of partsOf(expr).names) {
        if (/^maker_\w+_(total|count|sum|bucket)$/.test(name)) expect(rising).toContain(name);
      }
    }
  });
});

describe('Overview', () => {
  const rows = BOARDS.find(({ uid }) => uid === 'maker-overview')?.rows.map(({ title }) => title);

  it('answers five questions first', () => {
    expect(rows?.slice(1, 6)).toEqual([
      'Is money stuck?',
      'Is a payment unseen?',
      'Is the chain or our RPC at fault?',
      'Which jobs?',
      'What came and went in 24 hours?',
    ]);
  });
});

describe.each(DRAWN_BOARDS)('$title as Grafana reads it', ({ panels }) => {
  it.each(panels)('$title: links the runbooks that it names', ({ description, links = [] }) => {
    const named = [...description.matchAll(/[Rr]unbook ([a-z-]+)/g)].map(([, name]) => `docs/runbooks/${name}.md`);
    expect(links.map(({ url }) => url)).toEqual(named);
  });

  it.each(panels.filter(({ fieldConfig }) => fieldConfig.overrides.length > 0))(
    '$title: links an existing column to an existing page',
    ({ fieldConfig, targets }) => {
      for (const { matcher, properties } of fieldConfig.overrides) {
        expect(partsOf(targets[0]?.expr ?? '').grouping).toContain(matcher.options);
        for (const { url } of properties.flatMap(({ value }) => value))
          expect(existsSync(join(WORKSPACE, url.replace(/#.*$/, ''))), url).toBe(true);
      }
    },
  );

  it.each(panels)('$title: has a text for a missing value', ({ fieldConfig }) => {
    expect(fieldConfig.defaults.noValue).toMatch(/^(all 0, or )?no data$/);
  });

  it.each(panels.filter(({ type }) => type === 'timeseries'))(
    '$title: shows one unit, in a table of values',
    ({ options, targets }) => {
      expect(targets.filter(({ legendFormat }) => /, s$|^HYPE$/.test(legendFormat))).toEqual([]);
      expect(options.legend?.showLegend ? options.legend.displayMode : 'table').toBe('table');
    },
  );

  it.each(panels.filter(({ type }) => !OVER_TIME.includes(type)))('$title: queries now', ({ targets }) => {
    expect(targets.filter(({ instant }) => !instant)).toEqual([]);
  });
});

it('lists only existing quiet panels', () => {
  const names = BOARDS.flatMap(({ title, rows }) =>
    rows.flatMap((row) => row.panels.map((panel) => `${title.replace('Maker / ', '')}: ${panel.title}`)),
  );
  for (const name of Object.keys(MAY_BE_ZERO)) expect(names).toContain(name);
});

it('has both pictures of every board (npm run dashboards)', () => {
  const pictures = readdirSync(join(WORKSPACE, 'docs/screens/boards')).filter((name) => name.endsWith('.png'));
  const wanted = DRAWN_BOARDS.flatMap(({ name }) => [`${name}-dark.png`, `${name}-light.png`]);
  expect(pictures.sort()).toEqual(wanted.sort());
});

it('no two dashboards share id or title', () => {
  expect(new Set(BOARDS.map(({ uid }) => uid)).size).toBe(BOARDS.length);
  expect(new Set(BOARDS.map(({ title }) => title)).size).toBe(BOARDS.length);
  const files = BOARDS.map(({ uid }) => `${uid.replace(/^maker-/, '')}.json`);
  expect(readdirSync(DIRECTORY).sort()).toEqual(files.sort());
});
