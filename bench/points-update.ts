import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeLas } from '@platen/formats/las/testing';
import type { FormerResults } from '@platen/processing/job-type';
import { town, utm } from '@platen/processing/tiles-pointcloud/testing-town';
import { print, printPercentage } from './report.ts';
import { describeUsage, watchJob } from './watched-job.ts';

const sheetPoints = 400_000;
const perSide = 10;
/** Hundredths of a metre. */
const [width, depth] = [20_000, 15_000];
const options = { processing: { workers: 2 } };

interface Sheet {
  readonly column: number;
  readonly row: number;
  /** With other intensities. */
  readonly isOther?: boolean;
}

/** 100 sheets of 400,000 points, and updates: one sheet more, and another one in their midst, which has more neighbours. */
export async function benchPointsUpdate(folder: string): Promise<void> {
  const one = writeLas({ pointFormat: 2, points: town(sheetPoints), records: [utm] });
  const sheets = Array.from({ length: perSide ** 2 }, (_, i): Sheet => ({
    column: i % perSide,
    row: Math.floor(i / perSide),
  }));
  const run = async (what: string, all: readonly Sheet[], former?: FormerResults) => {
    const input = join(folder, 'sheets');
    const contents = await writeSheets(input, one, all);
    const path = join(folder, `output ${what}`);
    const result = { name: '.', path };
    const job = { name: 'TilesPointcloud', options, input, contents, result };
    const usage = await watchJob({ ...job, ...(former && { former }) });
    await rm(input, { recursive: true });
    print(`${what}: ${describeUsage(usage)}`);
    return { usage, path };
  };
  const full = await run('100 sheets', sheets);
  const archive = await formerFile(full.path, 'tileset.3tz', 2);
  const manifest = await formerFile(full.path, 'tileset.3tz.manifest', 1);
  print(`manifest: ${((manifest.size / archive.size) * 100).toFixed(1)} % of the archive`);
  const former = { manifest, results: [archive] };
  const added = [...sheets, { column: perSide, row: 4 }];
  const changed = sheets.with(44, { ...sheets[44]!, isOther: true });
  for (const [what, all] of [
    ['one sheet added to 100', added],
    ['one of 100 sheets changed', changed],
  ] as const) {
    const { usage } = await run(what, all, former);
    printPercentage(`CPU time by that of all, ${what}`, usage.cpuSeconds / full.usage.cpuSeconds, 15);
  }
}

async function formerFile(folder: string, name: string, index: number) {
  const path = join(folder, name);
  return { path, name, size: (await stat(path)).size, index };
}

/** @returns what identifies the content of each file */
async function writeSheets(folder: string, one: Buffer, sheets: readonly Sheet[]) {
  await mkdir(folder);
  const contents: Record<string, string> = {};
  for (const { column, row, isOther = false } of sheets) {
    const name = `${column}-${row}.las`;
    await writeFile(join(folder, name), moved(one, { column, row, isOther }));
    contents[name] = `${name} ${isOther}`;
  }
  return contents;
}

function moved(one: Buffer, { column, row, isOther }: Required<Sheet>): Buffer {
  const sheet = Buffer.from(one);
  // the largest and smallest x and y of the header
  for (const at of [179, 187]) sheet.writeDoubleLE(sheet.readDoubleLE(at) + (column * width) / 100, at);
  for (const at of [195, 203]) sheet.writeDoubleLE(sheet.readDoubleLE(at) + (row * depth) / 100, at);
  const recordLength = sheet.readUInt16LE(105);
  const first = sheet.readUInt32LE(96);
  for (let at = first; at < sheet.length; at += recordLength) {
    sheet.writeInt32LE(sheet.readInt32LE(at) + column * width, at);
    sheet.writeInt32LE(sheet.readInt32LE(at + 4) + row * depth, at + 4);
    if (isOther) sheet.writeUInt16LE(sheet.readUInt16LE(at + 12) ^ 0x0f, at + 12);
  }
  return sheet;
}
