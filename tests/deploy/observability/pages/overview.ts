import { join } from 'node:path';
import { until } from '../../../support/until.ts';
import { askBoard, askPanel, type Shown } from '../board-answers.ts';
import { openStudio } from '../board-pictures.ts';
import { DRAWN_BOARDS, type DrawnBoard } from '../drawn-panels.ts';
import { levelOf } from '../panel-faults.ts';
import type { PrometheusServer } from '../prometheus-server.ts';

/** Time range before a fault in the picture. */
const BEFORE_SECONDS = 300;

/** The board that an on-call engineer opens first. */
export interface Overview {
  /** Waits until each of its figures has a value. */
  filled(namespace: string): Promise<void>;
  /**
   * Reads it during a fault.
   * @param began Unix seconds
   * @returns panels that turned orange or red, with their colours
   */
  read(fault: string, namespace: string, began: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** @param folder of the pictures, in the workspace; none without it */
export async function openOverview(
  prometheus: PrometheusServer,
  scrapeSeconds: number,
  folder: string | undefined,
): Promise<Overview> {
  const board = boardNamed('overview');
  const studio = folder === undefined ? undefined : await openStudio();
  const shown = (namespace: string, began: number, to = Date.now() / 1000): Shown => ({
    namespace,
    rateInterval: `${4 * scrapeSeconds}s`,
    from: began - BEFORE_SECONDS,
    to,
    stepSeconds: scrapeSeconds,
  });
  return {
    async filled(namespace) {
      const figures = board.panels.filter(({ type }) => type === 'stat');
      const empty = async () => {
        const now = Date.now() / 1000;
        const answers = await Promise.all(
          figures.map((panel) => askPanel(prometheus, panel, shown(namespace, now, now))),
        );
        return figures.filter((_, index) => answers[index]?.flat().length === 0).map(({ title }) => title);
      };
      await until(`a value in each figure of ${namespace}`, empty, ({ length }) => length === 0);
    },
    async read(fault, namespace, began) {
      const drawing = await askBoard(prometheus, board, shown(namespace, began));
      if (studio && folder !== undefined) {
        const errors = await studio.draw(drawing, 'dark', pictureOf(folder, fault));
        if (errors.length > 0) throw new Error(`the picture of ${fault} has errors: ${errors.join(', ')}`);
      }
      const changed: string[] = [];
      for (const panel of board.panels) {
        const before = levelOf(panel, await askPanel(prometheus, panel, shown(namespace, began, began)));
        const level = levelOf(panel, drawing.answers[panel.id] ?? []);
        if (level !== before && (level === 'orange' || level === 'red')) changed.push(`${panel.title} (${level})`);
      }
      return changed;
    },
    close: async () => studio?.close(),
  };
}

const pictureOf = (folder: string, fault: string) => join(folder, `${fault.toLowerCase().replaceAll(/\W+/g, '-')}.png`);

function boardNamed(name: string): DrawnBoard {
  const board = DRAWN_BOARDS.find((board) => board.name === name);
  if (!board) throw new Error(`there is no board ${name}`);
  return board;
}
