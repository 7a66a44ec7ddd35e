import type { InspectedLayer, InspectionUse } from '@platen/contract/inspect';
import type { Bytes } from '@platen/formats/bytes/bytes';
import type { CityContents } from '@platen/formats/city-model/city-contents';
import { isEmptyExtent, type Extent } from '@platen/formats/mesh/extent';

import type { Finding, Inspecting, Subject } from '../inspector.ts';
import { layerTitle } from '../place/layer-title.ts';
import { locate } from '../place/locate.ts';
import { lookForFiles } from '../place/look-for-files.ts';
import { drawSurfaces } from '../picture/draw-surfaces.ts';
import type { FieldSample } from '../sample-fields.ts';

export interface FileSubject extends Subject {
  readonly bytes: Bytes;
}

export interface SeenCityModel {
  readonly inspecting: Inspecting;
  readonly fields: FieldSample;
  readonly format: string;
  readonly formatTitle: string;
  readonly version: string | undefined;
  readonly isPartial: boolean;
  /** How many times as much there is as what was read. */
  readonly scale: number;
  readonly crsText: string | undefined;
  readonly isAuthorityOrder: boolean;
  readonly extent: Extent;
  readonly isStatedExtent: boolean;
  readonly featureCount: number;
  readonly contents: CityContents;
  /** Details that only this format has. */
  readonly more: Record<string, unknown>;
}

const metresPerDegree = 111_320;

/** What is told of a city model in whatever encoding. */
export async function finishCityModel(subject: FileSubject, seen: SeenCityModel): Promise<Finding> {
  const { inspecting, contents, scale, isPartial, extent } = seen;
  const { issues } = inspecting;
  const { told, northingFirst, isGeographic } = locate({ ...seen, file: subject.name, issues });
  if (contents.cityObjects.size === 0 && !isPartial)
    issues.add('noFeatures', `${subject.name} has no city objects in it.`);
  const textures = await lookForFiles(subject, contents.textures, { inspecting, what: 'textures' });
  const times = (counts: ReadonlyMap<string, number>) =>
    Object.fromEntries(
      [...counts].toSorted((a, b) => b[1] - a[1]).map(([name, count]) => [name, Math.round(count * scale)]),
    );
  const layer: InspectedLayer = {
    name: layerTitle(subject.name),
    geometryTypes: [...contents.geometryTypes.keys()].toSorted().slice(0, 50),
    featureCount: Math.round(seen.featureCount * scale),
    isEstimated: isPartial,
    ...told,
    isBboxEstimated: isPartial && !seen.isStatedExtent && told.bbox !== undefined,
    fields: seen.fields.describe([]),
    details: {
      cityObjects: times(contents.cityObjects),
      ...(contents.boundarySurfaces.size > 0 && { boundarySurfaces: times(contents.boundarySurfaces) }),
      levelsOfDetail: [...contents.lods.keys()].toSorted(),
      ...(!isEmptyExtent(extent) && { heights: [extent.min[2], extent.max[2]] }),
      ...(contents.themes.size > 0 && { themes: [...contents.themes] }),
      ...(textures && { textures }),
      ...seen.more,
    },
  };
  const lat = told.bbox === undefined ? 0 : (told.bbox[1]! + told.bbox[3]!) / 2;
  const thumbnail = drawSurfaces(contents.surfaces, {
    northingFirst,
    ...(isGeographic && {
      unitX: metresPerDegree * Math.cos((lat * Math.PI) / 180),
      unitY: metresPerDegree,
    }),
  });
  return {
    format: seen.format,
    formatTitle: seen.formatTitle,
    ...(seen.version !== undefined && { formatVersion: seen.version }),
    kind: 'cityModel',
    layers: [layer],
    uses: [asDownload],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

const asDownload: InspectionUse = {
  kind: 'datasource',
  type: 'generic',
  confidence: 0.2,
  reason: 'It can be offered for download; to be seen on a map it has to be made into a 3D tileset first',
};
