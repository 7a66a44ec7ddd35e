import type { InspectedLayer, InspectionUse } from '@platen/contract/inspect';
import { guessCrs } from '@platen/formats/crs/guess-crs';
import { isEmptyExtent, type Extent } from '@platen/formats/mesh/extent';
import type { SurfaceBuffer } from '@platen/formats/mesh/surface-buffer';
import type { Finding } from '../inspector.ts';
import type { Issues } from '../issues.ts';
import { layerTitle } from '../place/layer-title.ts';
import { drawSurfaces } from '../picture/draw-surfaces.ts';

export interface ScannedMesh {
  readonly name: string;
  readonly issues: Issues;
  readonly format: string;
  readonly formatTitle: string;
  readonly version?: string | undefined;
  readonly isPointCloud?: boolean;
  readonly geometryTypes: readonly string[];
  readonly featureCount: number;
  readonly isEstimated: boolean;
  /** z points upwards. */
  readonly extent: Extent;
  readonly isExtentEstimated?: boolean;
  readonly surfaces?: SurfaceBuffer;
  /** Of models that say where on earth they are. */
  readonly bbox?: InspectedLayer['bbox'] | undefined;
  readonly details: Record<string, unknown>;
}

/** Builds the finding for a model, most of whose formats have no CRS. */
export function describeMesh(scanned: ScannedMesh): Finding {
  const { name, issues, extent, bbox, details } = scanned;
  const isEmpty = isEmptyExtent(extent);
  if (!isEmpty && bbox === undefined) reportMissingCrs(scanned);
  const layer: InspectedLayer = {
    name: layerTitle(name),
    geometryTypes: [...scanned.geometryTypes],
    featureCount: Math.round(scanned.featureCount),
    isEstimated: scanned.isEstimated,
    ...(bbox !== undefined && { bbox }),
    isBboxEstimated: bbox !== undefined && scanned.isExtentEstimated === true,
    fields: [],
    details: {
      ...details,
      ...(!isEmpty && {
        extent: { min: extent.min, max: extent.max, isEstimated: scanned.isExtentEstimated ?? false },
      }),
    },
  };
  if (scanned.featureCount === 0) issues.add('noFeatures', `${name} contains nothing visible.`);
  const thumbnail = scanned.surfaces && drawSurfaces(scanned.surfaces);
  return {
    format: scanned.format,
    formatTitle: scanned.formatTitle,
    ...(scanned.version !== undefined && { formatVersion: scanned.version.slice(0, 20) }),
    kind: scanned.isPointCloud === true ? 'pointCloud' : 'mesh',
    layers: [layer],
    uses: [asDownload],
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

const asDownload: InspectionUse = {
  kind: 'datasource',
  type: 'generic',
  confidence: 0.2,
  reason:
    'It can be offered for download. To show it on a map, convert it to a 3D tileset, which requires its position on earth',
};

const earthRadius = 6371e3;
const nearSurface = 100e3;

function reportMissingCrs({ name, issues, extent: { min, max } }: ScannedMesh): void {
  const middle = [0, 1, 2].map((axis) => (min[axis]! + max[axis]!) / 2);
  const fromCentre = Math.hypot(...middle);
  const needed = `${name} has no coordinate reference system. Enter its position when you create a tileset from it`;
  if (Math.abs(fromCentre - earthRadius) < nearSurface) {
    issues.add('noPlace', `${needed}. Its coordinates look geocentric (EPSG:4978).`);
    return;
  }
  const { verdict, suggestions } = guessCrs(Float64Array.of(min[0], min[1], max[0], max[1]), 2);
  // coordinates near the origin fit every grid that starts there
  const isLarge = Math.max(Math.abs(middle[0]!), Math.abs(middle[1]!)) > 50e3;
  const likely = suggestions.map(({ code, words }) => `${words} (${code})`).join(', or ');
  const hint = isLarge && verdict === 'projected' && likely ? ` Its coordinates may be ${likely}.` : '';
  issues.add('noPlace', `${needed}.${hint}`);
}
