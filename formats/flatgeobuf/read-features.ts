import { createFeature, type Feature, type FeaturePlace, type VisitFeature } from '../feature/feature.ts';
import { clearGeometry, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import { SourceError, type ReadPartOptions } from '../source/source.ts';
import { GeometryFault } from '../wkb/build-geometry.ts';
import { readColumns, readProperties } from './columns.ts';
import type { FeatureRange } from './cut-parts.ts';
import { createFeatureWindow } from './feature-window.ts';
import { FlatFault, rootTable, tableIn, vectorIn, vectorLength, type FlatBytes } from './flat-table.ts';
import type { RangeReader } from './range-reader.ts';
import { readGeometry } from './read-geometry.ts';
import type { Header } from './read-header.ts';

/** Fields of the table Feature, feature.fbs. */
const slot = { geometry: 0, properties: 1, columns: 2 };

/** The range that readFeatures reads. */
export interface FeatureInput {
  readonly handle: RangeReader;
  readonly header: Header;
  readonly range: FeatureRange;
  readonly fileBytes: number;
}

/** @returns the number of features @throws SourceError */
export async function readFeatures(
  { handle, header, range, fileBytes }: FeatureInput,
  visit: VisitFeature,
  { maxFeatureBytes, onProgress, keepsHeights }: ReadPartOptions,
): Promise<number> {
  const feature = createFeature(keepsHeights);
  const window = createFeatureWindow(handle, range);
  let count = 0;
  const place = (): FeaturePlace => ({ feature: range.first + count, byte: window.position });
  const hold = async (bytes: number): Promise<void> => {
    const fits = window.position + bytes <= range.end;
    if (!fits && range.end < fileBytes) {
      throw new SourceError('brokenFile', 'a feature is longer than its entry in the index', place());
    }
    if (!fits || !(await window.fill(bytes))) {
      throw new SourceError('truncatedFile', 'the file ends in the middle of a feature', place());
    }
    onProgress?.((window.position - range.start) / (range.end - range.start));
  };
  while (window.position < range.end) {
    if (window.held < 4) await hold(4);
    const length = window.length();
    if (length > maxFeatureBytes && window.position + length <= fileBytes) {
      throw new SourceError(
        'featureTooLarge',
        `the feature has ${length} bytes, which is too large`,
        place(),
      );
    }
    if (window.held < 4 + length) await hold(4 + length);
    parseFeature(window.feature(length), header, feature);
    visit(feature, place);
    count++;
    window.skip(4 + length);
  }
  if (range.count !== undefined && count < range.count) {
    const message = `the file ends after ${range.first - 1 + count} features, but its header announces more`;
    throw new SourceError('truncatedFile', message, place());
  }
  onProgress?.(1);
  return count;
}

function parseFeature(flat: FlatBytes, { geometryType, columns }: Header, feature: Feature): void {
  feature.problem = undefined;
  feature.isBroken = false;
  try {
    const table = rootTable(flat);
    feature.problem = parseGeometry(flat, table, geometryType, feature.geometry);
    const own = readColumns(flat, table, slot.columns) ?? columns;
    const at = vectorIn(flat, table, slot.properties, 1);
    feature.properties = readProperties(flat, { at, end: at + vectorLength(flat, at) }, own);
  } catch (error) {
    if (!(error instanceof FlatFault)) throw error;
    feature.problem = error.message;
    feature.isBroken = true;
    feature.properties = {};
    clearGeometry(feature.geometry);
  }
}

/** @returns the problem with the geometry; the attributes are still readable */
function parseGeometry(
  flat: FlatBytes,
  table: number,
  type: Header['geometryType'],
  into: GeometryBuffer,
): string | undefined {
  try {
    const geometry = tableIn(flat, table, slot.geometry);
    if (geometry === 0) clearGeometry(into);
    else readGeometry(flat, geometry, type, into);
    return undefined;
  } catch (error) {
    if (!(error instanceof FlatFault || error instanceof GeometryFault)) throw error;
    clearGeometry(into);
    return error.message;
  }
}
