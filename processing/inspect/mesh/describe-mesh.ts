import type { InspectedLayer, InspectionUse } from '@platen/contract/inspect';
import { guessCrs } from '@platen/formats/crs/guess-crs';
import { isEmptyExtent, type Extent } from '@platen/formats/mesh/extent';
import type { SurfaceBuffer } from '@platen/formats/mesh/surface-buffer';
import type { Finding } from '../inspector.ts';
import type { Issues } from '../issues.ts';
import { layerTitle } from '../place/layer-title.ts';
import { drawSurfaces } from '../picture/draw-surfaces.ts';

export interface SeenMesh {
  readonly name: string;
  readonly issues: Issues;
  readonly format: string;
  readonly formatTitle: string;
  readonly version?: string | undefined;
  readonly isPointCloud?: boolean;
  readonly geometryTypes: readonly string[];
  readonly featureCount: number;
  readonly isEstimated: boolean;
  /** z upwards. */
  readonly extent: Extent;
  readonly isExtentEstimated?: boolean;
  readonly surfaces?: SurfaceBuffer;
  readonly details: Record<string, unknown>;
}

/** What is told of a model whose format knows no CRS. */
export function describeMesh(seen: SeenMesh): Finding {
  const { name, issues, extent, details } = seen;
  const isEmpty = isEmptyExtent(extent);
  if (!isEmpty) tellPlace(seen);
  const layer: InspectedLayer = {
    name: layerTitle(name),
    geometryTypes: [...seen.geometryTypes],
    featureCount: Math.round(seen.featureCount),
    isEstimated: seen.isEstimated,
    isBboxEstimated: false,
    fields: [],
    details: {
      ...details,
      ...(!isEmpty && {
        extent: { min: extent.min, max: extent.max, isEstimated: seen.isExtentEstimated ?? false },
      }),
    },
  };
  if (seen.featureCount === 0) issues.add('noFeatures', `${name} has nothing in it that could be seen.`);
  const thumbnail = seen.surfaces && drawSurfaces(seen.surfaces);
  return {
    format: seen.format,
    formatTitle: seen.formatTitle,
    ...(seen.version !== undefined && { formatVersion: seen.version.slice(0, 20) }),
    kind: seen.isPointCloud === true ? 'pointCloud' : 'mesh',
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
    'It can be offered for download; to be seen on a map it has to be made into a 3D tileset, which needs its place on earth',
};

const earthRadius = 6371e3;
const nearSurface = 100e3;

function tellPlace({ name, issues, extent: { min, max } }: SeenMesh): void {
  const middle = [0, 1, 2].map((axis) => (min[axis]! + max[axis]!) / 2);
  const fromCentre = Math.hypot(...middle);
  const needed = `${name} has no CRS: a place on earth has to be named when it is made into a tileset`;
  if (Math.abs(fromCentre - earthRadius) < nearSurface) {
    issues.add('noPlace', `${needed}. Its coordinates look geocentric (EPSG:4978).`);
    return;
  }
  const { verdict, suggestions } = guessCrs(Float64Array.of(min[0], min[1], max[0], max[1]), 2);
  // what is about the origin may be in any grid that begins there
  const isLarge = Math.max(Math.abs(middle[0]!), Math.abs(middle[1]!)) > 50e3;
  const likely = suggestions.map(({ code, words }) => `${words} (${code})`).join(', or ');
  const hint = isLarge && verdict === 'projected' && likely ? ` Its coordinates may be ${likely}.` : '';
  issues.add('noPlace', `${needed}.${hint}`);
}
