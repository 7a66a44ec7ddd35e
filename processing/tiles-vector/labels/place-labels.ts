import { hashOfValue, type AttributeValue } from '@platen/geo/mvt/attributes';
import { recordHeaderWords, valuesAt } from '@platen/geo/mvt/feature-record';
import { labelZooms, noLabelZoom } from '@platen/geo/mvt/label-zooms';
import { worldSize } from '@platen/geo/tile/world-grid';
import { JobFailure } from '../../job-type.ts';
import { maxTileZoom } from '../max-tile-zoom.ts';
import type { Reading } from '../read-phase.ts';
import { saveSegment } from '../segments.ts';
import type { LabelSettings } from './label-settings.ts';
import { bytesPerLabel, createLabelTable, type LabelTable } from './label-table.ts';
import { labelWidth } from './label-width.ts';
import { visitLabels, type LabelRecord } from './visit-labels.ts';

export interface LabelPlacing {
  readonly labels: LabelSettings;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Whether the highest zoom may be raised until labels fit, because it is only an estimate. */
  readonly mayRaise: boolean;
  readonly budgetBytes: number;
}

/** Share of the memory budget for labels. */
const memoryShare = 0.25;
/** The estimated highest zoom is raised by at most this number, and only until nine in ten labels fit. */
const maxRaise = 4;
const maxRaisedZoom = 16;
const sufficientShare = 0.9;
/** Height of a line of text, as a share of the font size. */
const lineHeight = 1.2;

/**
 * Writes the zoom of each label into its records, all of which have been read, and removes label points from lower zooms.
 * The zooms depend on the records and their order only, so they are the same for any number of threads, and if records
 * already have one from an earlier attempt.
 * @returns the highest zoom of the tiles
 * @throws JobFailure `outOfMemory`
 */
export function placeLabels(reading: Reading, placing: LabelPlacing): number {
  const { minZoom, maxZoom, mayRaise } = placing;
  const table = collectLabels(reading, placing);
  const highest = mayRaise ? Math.max(maxZoom, Math.min(maxRaisedZoom, maxZoom + maxRaise)) : maxZoom;
  const zooms = labelZooms(table.boxes, { order: table.order(), minZoom, maxZoom: highest });
  writeZooms(reading, zooms);
  return mayRaise ? sufficientZoom(zooms, maxZoom, highest) : maxZoom;
}

function collectLabels(reading: Reading, { labels, budgetBytes }: LabelPlacing): LabelTable {
  const { attribute, rankBy, size, distance } = labels;
  const table = createLabelTable(rankBy.length);
  const maxLabels = Math.floor((budgetBytes * memoryShare) / bytesPerLabel(rankBy.length));
  const names = [attribute, ...rankBy.map((rank) => rank.attribute)];
  const visit = (label: LabelRecord): void => {
    if (label.isCopy) return;
    if (table.boxes.count === maxLabels) {
      const message = `/tiling/labels: the memory suffices for ${maxLabels} labels, and there are more. Raise processing.memoryMegabytes, or select features with modelOptions.`;
      throw new JobFailure('outOfMemory', message);
    }
    const ranks = rankBy.map(({ order }, i) => {
      const number = numberOf(label.valueOf(i + 1));
      return order === 'lowest' ? number : -number;
    });
    const { x, y, store, record } = label;
    const scaleFactor = scaleFactorAt(y);
    const width = Math.ceil((labelWidth(String(label.valueOf(0)), size) + distance) * scaleFactor);
    const height = Math.ceil((size * lineHeight + distance) * scaleFactor);
    const firstZoom = Math.min(store.words[record + 6]! & 255, maxTileZoom);
    table.add({ x, y, width, height, firstZoom, ranks });
  };
  visitLabels(reading, { names, visit });
  return table;
}

/**
 * How much larger a label is against its tile than at the equator: globes choose the zoom by what a tile at the equator
 * measures, and draw those near the poles smaller (the scale factor of the Mercator projection).
 */
function scaleFactorAt(y: number): number {
  return Math.min(maxScaleFactor, Math.cosh(Math.PI * (1 - (2 * y) / worldSize)));
}

/** Reached at a latitude of 70°. */
const maxScaleFactor = 3;

/** Numbers in text count. */
function numberOf(value: AttributeValue | undefined): number {
  return value === undefined || value === '' ? NaN : Number(value);
}

function writeZooms(reading: Reading, zooms: Uint8Array): void {
  const holdsLabels = [...reading.layers.values()].map((layer) => layer.holdsLabels);
  let label = -1;
  visitLabels(reading, {
    names: [],
    visit(record) {
      if (!record.isCopy) label++;
      writeZoom(record, zooms[label]!, holdsLabels[record.layer]!);
    },
    onSegment: saveSegment,
  });
}

/** @param isAlone whether the feature is nothing but the label, and begins with it */
function writeZoom({ store, record, attributes }: LabelRecord, zoom: number, isAlone: boolean): void {
  const { words, bytes } = store;
  // The value is the last one: its length, its type, and the zoom.
  const start = valuesAt(words, record) + words[record + 5]! - valueBytes;
  bytes[start + valueBytes - 1] = zoom;
  words[record + recordHeaderWords + attributes * 2 + 1] = hashOfValue(bytes, start, start + valueBytes);
  if (!isAlone) return;
  const zooms = words[record + 6]!;
  words[record + 6] = zoom === noLabelZoom ? hiddenZooms : zoom | (zooms & ~255);
}

const valueBytes = 3;
/** Begins at zoom 1 and ends before 0. */
const hiddenZooms = 1 | (-1 << 8);

/** The lowest zoom, from the estimate on, at which enough of the labels that fit at all are shown. */
function sufficientZoom(zooms: Uint8Array, estimate: number, highest: number): number {
  const counts = Array.from({ length: noLabelZoom + 1 }, () => 0);
  for (const zoom of zooms) counts[zoom]!++;
  const all = zooms.length - counts[noLabelZoom]!;
  let shown = 0;
  for (let zoom = 0; zoom < highest; zoom++) {
    shown += counts[zoom]!;
    if (zoom >= estimate && shown >= all * sufficientShare) return zoom;
  }
  return highest;
}
