import type { InspectedLayer, InspectionUse } from '@platen/contract/inspect';
import type { Bytes } from '@platen/formats/bytes/bytes';
import type { CityContents } from '@platen/formats/city-model/city-contents';
import { isEmptyExtent, type Extent } from '@platen/formats/mesh/extent';

import type { HeightDiagnosis } from '../../heights/diagnose-heights.ts';
import type { Finding, InspectionContext, Subject } from '../inspector.ts';
import { layerTitle } from '../place/layer-title.ts';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { heightsAdvice, inspectHeights } from '../place/inspect-heights.ts';
import { locate } from '../place/locate.ts';
import { checkReferencedFiles } from '../place/check-referenced-files.ts';
import { drawSurfaces } from '../picture/draw-surfaces.ts';
import type { FieldSample } from '../sample-fields.ts';

export interface FileSubject extends Subject {
  readonly bytes: Bytes;
}

export interface ScannedCityModel {
  readonly context: InspectionContext;
  readonly fields: FieldSample;
  readonly format: string;
  readonly formatTitle: string;
  readonly version: string | undefined;
  readonly isPartial: boolean;
  /** Size of the whole file relative to the part that was read. */
  readonly scale: number;
  readonly crsText: string | undefined;
  readonly isAuthorityOrder: boolean;
  readonly extent: Extent;
  readonly isStatedExtent: boolean;
  readonly featureCount: number;
  readonly contents: CityContents;
  /** Details specific to the format. */
  readonly more: Record<string, unknown>;
}

const metresPerDegree = 111_320;

/** Builds the finding for a city model, whatever its encoding. */
export async function describeCityModel(subject: FileSubject, scanned: ScannedCityModel): Promise<Finding> {
  const { context, contents, scale, isPartial, extent, crsText } = scanned;
  const { issues } = context;
  const { place, northingFirst, isGeographic } = locate({ ...scanned, file: subject.name, issues });
  const vertical = crsText === undefined ? undefined : findVerticalCrs(crsText);
  const heights = await inspectHeights({ fileName: subject.name, vertical }, place);
  if (contents.cityObjects.size === 0 && !isPartial)
    issues.add('noFeatures', `${subject.name} contains no city objects.`);
  const textures = await checkReferencedFiles(subject, contents.textures, { context, what: 'textures' });
  const times = (counts: ReadonlyMap<string, number>) =>
    Object.fromEntries(
      [...counts].toSorted((a, b) => b[1] - a[1]).map(([name, count]) => [name, Math.round(count * scale)]),
    );
  const layer: InspectedLayer = {
    name: layerTitle(subject.name),
    geometryTypes: [...contents.geometryTypes.keys()].toSorted().slice(0, 50),
    featureCount: Math.round(scanned.featureCount * scale),
    isEstimated: isPartial,
    ...place,
    isBboxEstimated: isPartial && !scanned.isStatedExtent && place.bbox !== undefined,
    fields: scanned.fields.describe([]),
    details: {
      cityObjects: times(contents.cityObjects),
      ...(contents.boundarySurfaces.size > 0 && { boundarySurfaces: times(contents.boundarySurfaces) }),
      levelsOfDetail: [...contents.lods.keys()].toSorted(),
      ...(!isEmptyExtent(extent) && { heightRange: [extent.min[2], extent.max[2]] }),
      ...(heights && { heights }),
      ...(contents.themes.size > 0 && { themes: [...contents.themes] }),
      ...(textures && { textures }),
      ...scanned.more,
    },
  };
  const lat = place.bbox === undefined ? 0 : (place.bbox[1]! + place.bbox[3]!) / 2;
  const thumbnail = drawSurfaces(contents.surfaces, {
    northingFirst,
    ...(isGeographic && {
      unitX: metresPerDegree * Math.cos((lat * Math.PI) / 180),
      unitY: metresPerDegree,
    }),
  });
  return {
    format: scanned.format,
    formatTitle: scanned.formatTitle,
    ...(scanned.version !== undefined && { formatVersion: scanned.version }),
    kind: 'cityModel',
    layers: [layer],
    uses: [useOf(heights)],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

function useOf(heights: HeightDiagnosis | undefined): InspectionUse {
  const reason = `It can be offered for download. To show it on a map, convert it to a 3D tileset first. ${heightsAdvice(heights)}`;
  return { kind: 'datasource', type: 'generic', confidence: 0.2, reason };
}
