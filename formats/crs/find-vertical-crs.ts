import { readEpsgEntry } from './epsg-entry.ts';
import { geoidOfGridName } from './geoid-names.ts';
import { compoundName, parseCrsText } from './parse-crs-text.ts';
import { UnknownCrs } from './unknown-crs.ts';
import { footMetres, surveyFootMetres, type VerticalCrs } from './vertical-crs.ts';
import { findVerticalCode } from './vertical-names.ts';
import { verticalOfCode, verticalOfWkt } from './vertical-wkt.ts';

/** Names of the German surveys: GeoInfoDok, annex on CRSs. */
const germanHeights: Readonly<Record<string, string>> = {
  DE_DHHN2016_NH: '7837',
  DE_DHHN92_NH: '5783',
  DE_DHHN85_NOH: '5784',
  DE_DHHN12_NOH: '7699',
};

/**
 * What the heights of data count from, for any spelling of a CRS that `findCrs` takes, or of a vertical CRS alone:
 * `EPSG:7415`, `EPSG:25832+7837`, `DHHN2016 height`. Undefined if the text names no heights, or no CRS.
 */
export function findVerticalCrs(crsText: string): VerticalCrs | undefined {
  const text = crsText.trim();
  const german = /[*:]([A-Z0-9_]+)$/.exec(text)?.[1];
  if (german !== undefined && Object.hasOwn(germanHeights, german))
    return verticalOfCode(germanHeights[german]!);
  const last = /(?:\+|::|EPSG\/[^/]*\/|^EPSG:)(\d{4,6})$/i.exec(text)?.[1];
  if (last !== undefined && readEpsgEntry(last)?.kind === 'CRS-VERTCRS') return verticalOfCode(last);
  try {
    const named = parseCrsText(text);
    switch (named.kind) {
      case 'wkt':
        return verticalOfWkt(named.text);
      case 'code':
        return verticalOfCode(named.code);
      case 'proj':
        return verticalOfProj(named.text);
      case 'name':
        return verticalOfName(named.text);
    }
  } catch (error) {
    if (error instanceof UnknownCrs) return undefined;
    throw error;
  }
}

function verticalOfName(text: string): VerticalCrs | undefined {
  const [, vertical = text] = compoundName(text);
  if (vertical === '' || vertical.length > 200) return undefined;
  const code = findVerticalCode(vertical);
  return code === undefined ? undefined : verticalOfCode(code);
}

const projUnits: Readonly<Record<string, number>> = { m: 1, ft: footMetres, 'us-ft': surveyFootMetres };

/** `+geoidgrids=us_noaa_g2018u0.tif +vunits=us-ft`. */
function verticalOfProj(text: string): VerticalCrs | undefined {
  const grid = /\+geoidgrids=@?"?([^\s",]+)/.exec(text)?.[1];
  const code = grid === undefined ? undefined : geoidOfGridName(grid);
  const heights = code === undefined ? undefined : verticalOfCode(code);
  const unit = projUnits[/\+vunits=(\S+)/.exec(text)?.[1] ?? ''];
  if (heights === undefined || unit === undefined) return heights;
  return { ...heights, metresPerUnit: unit };
}
