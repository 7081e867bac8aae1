/** The walks of `npm run screens`, which are plain scripts, with their types. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { root } from '../postrider-process.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
  /** By a finger, as on a telephone. */
  readonly isTouched: boolean;
}

interface Look {
  readonly theme?: 'light' | 'dark';
  readonly dir?: 'ltr' | 'rtl';
}

/** How a screen that is open is shown. */
export interface Shown {
  readonly SIZES: readonly Size[];
  readonly OPENING: Size;
  resize(page: Page, size: Size): Promise<void>;
  dress(page: Page, look: Look): Promise<void>;
}

interface Service {
  readonly base: string;
  readonly simulator: string;
  readonly link: string;
  readonly key: string;
}

interface ShootOptions {
  readonly of?: Page;
  readonly widths?: readonly number[];
}

/** What a walk needs, see `console/scripts/walks/all.mjs`. */
interface Sight {
  readonly page: Page;
  readonly browser: Browser;
  readonly picture: Buffer;
  readonly service: Service;
  readonly shoot: (name: string, options?: ShootOptions) => Promise<void>;
}

type Walk = (sight: Sight) => Promise<void>;

interface Walks {
  /** By what they open. */
  readonly FULL: Readonly<Record<string, Walk>>;
  readonly EMPTY: Readonly<Record<string, Walk>>;
  movesOf(page: Page, base: string): object;
}

const script = <Module>(name: string) =>
  import(pathToFileURL(join(root, 'console', 'scripts', name)).href) as Promise<Module>;

export const shown = await script<Shown>('walks/show.mjs');
export const { FULL, EMPTY, movesOf } = await script<Walks>('walks/all.mjs');
export const { fillInbox } = await script<{ fillInbox(service: Service, picture: Buffer): Promise<void> }>(
  'fill-inbox.mjs',
);
export const { fillTeam, addSecondStep } = await script<{
  fillTeam(service: Service): Promise<void>;
  addSecondStep(page: Page): Promise<void>;
}>('fill-team.mjs');
export const { drawPicture } = await script<{ drawPicture(browser: Browser): Promise<Buffer> }>('draw-picture.mjs');
