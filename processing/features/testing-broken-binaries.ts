import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFlatGeobufWriter } from '@platen/formats/flatgeobuf/write-flatgeobuf';
import { addLayer, createGeoPackage, encodeGeometry, insertRows } from '@platen/formats/geopackage/testing';
import { encodeDbf, encodeShp } from '@platen/formats/shapefile/testing';
import type { BrokenFile } from './testing-broken-file.ts';
import { makeFeature } from './testing.ts';
import { zipOfFiles } from '@platen/formats/zip/testing';

/** The binary ones of `everyBrokenFormat`. */
export async function brokenBinaries(): Promise<BrokenFile[]> {
  return [shapefile(), await inFolder(geoPackage), await inFolder(flatGeobuf)];
}

function shapefile(): BrokenFile {
  const line = (...points: [number, number][]) => ({ type: 3, parts: [points] });
  const names = ['good', 'null', 'beyond', 'short', 'lies'];
  const { shp } = encodeShp([
    line([8, 47], [9, 48]),
    { type: 0 },
    line([8, 47], [8, 95]),
    line([8, 47]),
    line([8, 47], [9, 48]),
  ]);
  const lies = Buffer.from(shp);
  const start = lies.length - (8 + 4 + 32 + 8 + 4 + 32); // start of the last record
  lies.writeInt32LE(1_000_000, start + 8 + 4 + 32); // number of parts
  const fields = [{ name: 'name', type: 'C', length: 8 }];
  const dbf = encodeDbf({ fields, rows: names.map((name) => [name.padEnd(8)]) });
  return {
    name: 'a.zip',
    content: zipOfFiles({ 'a.shp': lies, 'a.dbf': dbf, 'a.prj': 'GEOGCS["WGS 84"]' }),
    good: 1,
    bad: [
      { code: 'withoutGeometry', reason: /no geometry/, name: 'null', row: 2 },
      { code: 'invalidCoordinates', reason: /outside/, name: 'beyond', row: 3, shows: 'Point' },
      { code: 'invalidGeometry', reason: /2 positions/, name: 'short', row: 4, shows: 'Point' },
      { code: 'invalidGeometry', reason: /./, name: 'lies', row: 5 },
    ],
  };
}

async function inFolder(write: (folder: string) => Promise<BrokenFile>): Promise<BrokenFile> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-broken-'));
  try {
    return await write(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function geoPackage(folder: string): Promise<BrokenFile> {
  const path = join(folder, 'a.gpkg');
  const database = createGeoPackage(path);
  addLayer(database, { table: 'towns', columns: 'name text' });
  const at = (coordinates: number[]) => encodeGeometry({ type: 'Point', coordinates });
  insertRows(database, 'towns', [
    [1, at([8, 47]), 'good'],
    [4, Buffer.from('no geometry at all'), 'garbage'],
    [5, at([8, 47]).subarray(0, -3), 'torn'],
    [6, null, 'nothing'],
    [7, 'POINT(8 47)', 'text'],
    [9, at([8, 95]), 'beyond'],
  ]);
  database.close();
  return {
    name: 'a.gpkg',
    content: await readFile(path),
    good: 1,
    bad: [
      { code: 'invalidGeometry', reason: /./, name: 'garbage', row: 4, feature: 2 },
      { code: 'invalidGeometry', reason: /./, name: 'torn', row: 5, feature: 3 },
      { code: 'withoutGeometry', reason: /no geometry/, name: 'nothing', row: 6, feature: 4 },
      { code: 'invalidGeometry', reason: /not a blob/, name: 'text', row: 7, feature: 5 },
      { code: 'invalidCoordinates', reason: /outside/, name: 'beyond', row: 9, feature: 6 },
    ],
  };
}

async function flatGeobuf(folder: string): Promise<BrokenFile> {
  const path = join(folder, 'a.fgb');
  const writer = createFlatGeobufWriter({ scratchFolder: folder, name: 'towns' });
  writer.add(makeFeature({ name: 'good' }, 'Point', [[[[8.25, 47]]]]));
  writer.add(makeFeature({ name: 'no place' }, 'Point', [[[[8.5, 47]]]]));
  writer.add(makeFeature({ name: 'damaged' }, 'Point', [[[[8.75, 47]]]]));
  await writer.finish(path);
  const bytes = await readFile(path);
  const double = Buffer.alloc(8);
  double.writeDoubleLE(8.5);
  bytes.writeDoubleLE(Number.NaN, bytes.lastIndexOf(double));
  double.writeDoubleLE(8.75);
  // the length of its two coordinates stands before them
  bytes.writeUInt32LE(0x7fffffff, bytes.lastIndexOf(double) - 4);
  return {
    name: 'a.fgb',
    content: bytes,
    good: 1,
    bad: [
      { code: 'invalidGeometry', reason: /not a finite number/, name: 'no place', feature: 2 },
      { code: 'invalidGeometry', reason: /outside the data/, name: 'damaged', feature: 3 },
    ],
  };
}
