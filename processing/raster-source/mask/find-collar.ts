import { addRun, commonRuns, joinRuns, touching, widenRuns, type Runs } from '@platen/geo/raster/runs';
import type { SheetWindow } from '../read-sheets.ts';

/** Runs of the rows of an image. */
export interface Rows {
  read(row: number): Runs;
  remove(): void;
}

export interface RowWriter<R extends Rows> {
  add(row: number, runs: Runs): void;
  finish(): R;
}

/** A sheet whose collar is looked for. */
export interface CollarScan<R extends Rows = Rows> {
  readonly width: number;
  readonly height: number;
  /** Pixels that are read at a time: those of a block. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** RGBA, valid until the next. */
  readonly read: (window: SheetWindow) => Promise<Uint8Array>;
  readonly isDark: boolean;
  readonly isLight: boolean;
  /** What each of red, green and blue may be off black or white. */
  readonly tolerance: number;
  /** Keeps rows by a name. They come from the first to the last, or the other way round. */
  readonly writeRows: (name: string, height: number) => RowWriter<R>;
  /** Pixels of the border that a collar has at least in a line; 16 by default. */
  readonly minBorder?: number;
}

const usualBorder = 16;
/** Pixels by which a collar reaches into those that are only nearly of its colour: a rim by resampling or JPEG. */
const rim = 2;
/** How much farther from black or white they may be. */
const rimFactor = 4;
/** Of a row; more are noise, and count as picture. */
const maxRuns = 16_384;
/** A collar that winds more often up and down is taken as far as it has been followed. */
const maxPasses = 64;

/**
 * Finds the pixels near black or white that are connected with the border of a sheet through such pixels or hidden ones,
 * and a rim around them. In memory are the rows of one block, and a few bytes a row; each block is read once, but for a
 * sheet whose border has no such pixels: of that, blocks on the border only.
 * @returns undefined: it has no collar
 */
export async function findCollar<R extends Rows>(scan: CollarScan<R>): Promise<R | undefined> {
  if (!(await hasBorder(scan))) return undefined;
  const files: Rows[] = [];
  try {
    const { strong, weak, seeds } = await scanRows(scan);
    files.push(strong, weak);
    let reached = flood(scan, { strong, seeds, former: undefined, pass: 0 });
    files.push(reached.rows);
    for (let pass = 1; pass < maxPasses; pass++) {
      const next = flood(scan, { strong, seeds, former: reached.rows, pass });
      files.push(next.rows);
      const isSame = next.count === reached.count;
      reached = next;
      if (isSame) break;
    }
    return reached.count === 0 ? undefined : addRims(scan, reached.rows, weak);
  } finally {
    for (const file of files) file.remove();
  }
}

type IsNear = (rgba: Uint8Array, at: number, tolerance: number) => boolean;

function nearOf({ isDark, isLight }: CollarScan): IsNear {
  return (rgba, at, tolerance) => {
    if (rgba[at + 3] === 0) return true;
    const [red, green, blue] = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!];
    if (isDark && Math.max(red, green, blue) <= tolerance) return true;
    return isLight && Math.min(red, green, blue) >= 255 - tolerance;
  };
}

/** Whether a line of the border has enough pixels of a collar. */
async function hasBorder(scan: CollarScan): Promise<boolean> {
  const { width, height, blockWidth, blockHeight, tolerance, minBorder = usualBorder } = scan;
  const isNear = nearOf(scan);
  const hasLine = async (windows: Iterable<SheetWindow>, length: number): Promise<boolean> => {
    const needed = Math.min(minBorder, length);
    let count = 0;
    for (const window of windows) {
      const rgba = await scan.read(window);
      for (let at = 0; at < rgba.length; at += 4) {
        count = isNear(rgba, at, tolerance) ? count + 1 : 0;
        if (count >= needed) return true;
      }
    }
    return false;
  };
  const across = (row: number): SheetWindow[] =>
    splits(width, blockWidth).map(([column, size]) => ({ column, row, width: size, height: 1 }));
  const down = (column: number): SheetWindow[] =>
    splits(height, blockHeight).map(([row, size]) => ({ column, row, width: 1, height: size }));
  return (
    (await hasLine(across(0), width)) ||
    (await hasLine(across(height - 1), width)) ||
    (await hasLine(down(0), height)) ||
    (await hasLine(down(width - 1), height))
  );
}

function splits(length: number, size: number): [start: number, length: number][] {
  return Array.from({ length: Math.ceil(length / size) }, (_, i) => [
    i * size,
    Math.min(size, length - i * size),
  ]);
}

interface ScannedRows<R> {
  /** Runs of the colour of the collar. */
  readonly strong: R;
  /** Runs of nearly that colour. */
  readonly weak: R;
  readonly seeds: Seeds;
}

/** Rows whose first or last pixel belongs to a line of the border that is long enough. */
interface Seeds {
  readonly left: Uint8Array;
  readonly right: Uint8Array;
}

async function scanRows<R extends Rows>(scan: CollarScan<R>): Promise<ScannedRows<R>> {
  const { width, height, blockWidth, blockHeight, tolerance, writeRows, minBorder = usualBorder } = scan;
  const [strong, weak] = [writeRows('strong', height), writeRows('weak', height)];
  const seeds = { left: new Uint8Array(height), right: new Uint8Array(height) };
  const isNear = nearOf(scan);
  for (const [top, rows] of splits(height, blockHeight)) {
    const found = Array.from({ length: rows }, () => ({ strong: [] as number[], weak: [] as number[] }));
    for (const [left, columns] of splits(width, blockWidth)) {
      const rgba = await scan.read({ column: left, row: top, width: columns, height: rows });
      for (const [y, runs] of found.entries()) {
        for (let x = 0, at = y * columns * 4; x < columns; x++, at += 4) {
          if (!isNear(rgba, at, tolerance * rimFactor)) continue;
          put(runs.weak, left + x);
          if (isNear(rgba, at, tolerance)) put(runs.strong, left + x);
        }
      }
    }
    for (const [y, runs] of found.entries()) {
      strong.add(top + y, runs.strong);
      weak.add(top + y, runs.weak);
      seeds.left[top + y] = runs.strong[0] === 0 ? 1 : 0;
      seeds.right[top + y] = runs.strong.at(-1) === width ? 1 : 0;
    }
  }
  keepLong(seeds.left, minBorder);
  keepLong(seeds.right, minBorder);
  return { strong: strong.finish(), weak: weak.finish(), seeds };
}

function put(runs: number[], column: number): void {
  if (runs.length < maxRuns * 2 || runs.at(-1) === column) addRun(runs, column, column + 1);
}

/** Takes out of a line what is too short. */
function keepLong(line: Uint8Array, minBorder: number): void {
  const needed = Math.min(minBorder, line.length);
  for (let start = 0, at = 0; at <= line.length; at++) {
    if (line[at] === 1) continue;
    if (at - start < needed) line.fill(0, start, at);
    start = at + 1;
  }
}

interface Flood {
  readonly strong: Rows;
  readonly seeds: Seeds;
  /** What the pass before has reached. */
  readonly former: Rows | undefined;
  readonly pass: number;
}

interface Reached<R> {
  readonly rows: R;
  /** Runs that are reached. */
  readonly count: number;
}

/** Follows runs from row to row, down in even passes and up in odd ones. */
function flood<R extends Rows>(scan: CollarScan<R>, { strong, seeds, former, pass }: Flood): Reached<R> {
  const { height, writeRows } = scan;
  const rows = writeRows(String(pass), height);
  let count = 0;
  let last: Runs = [];
  for (let i = 0; i < height; i++) {
    const row = pass % 2 === 0 ? i : height - 1 - i;
    const runs = strong.read(row);
    const known = former?.read(row) ?? borderRuns(runs, row, { scan, seeds });
    last = touching(runs, joinRuns(known, last));
    count += last.length / 2;
    rows.add(row, last);
  }
  return { rows: rows.finish(), count };
}

/** The runs of a row that are on the border. */
function borderRuns(
  runs: Runs,
  row: number,
  {
    scan: { width, height, minBorder = usualBorder },
    seeds,
  }: { readonly scan: CollarScan; readonly seeds: Seeds },
): Runs {
  const isEdge = row === 0 || row === height - 1;
  const found: number[] = [];
  for (let i = 0; i < runs.length; i += 2) {
    const [start, end] = [runs[i]!, runs[i + 1]!];
    const isSeed =
      (isEdge && end - start >= Math.min(minBorder, width)) ||
      (start === 0 && seeds.left[row] === 1) ||
      (end === width && seeds.right[row] === 1);
    if (isSeed) found.push(start, end);
  }
  return found;
}

/** The collar with what is near it and nearly of its colour. */
function addRims<R extends Rows>({ width, height, writeRows }: CollarScan<R>, reached: Rows, weak: Rows): R {
  const rows = writeRows('rims', height);
  for (let row = 0; row < height; row++) {
    let near: Runs = [];
    for (let other = Math.max(0, row - rim); other <= Math.min(height - 1, row + rim); other++)
      near = joinRuns(near, reached.read(other));
    const rims = commonRuns(widenRuns(near, rim, width), weak.read(row));
    rows.add(row, joinRuns(reached.read(row), rims));
  }
  return rows.finish();
}
