import type { InspectedLayer } from '@platen/contract/inspect';
import { findCrs, UnknownCrs } from '@platen/formats/crs/find-crs';
import { openIfc } from '@platen/formats/ifc/open-ifc';
import { isWhole } from '@platen/formats/ifc/read-ifc';
import type { ModelPlace } from '@platen/formats/mesh-model/model-place';
import { cornersOf, emptyExtent, growExtent, isEmptyExtent, type Extent } from '@platen/formats/mesh/extent';
import {
  createSurfaceBuffer,
  endRing,
  endSurface,
  isFull,
  pushVertex,
} from '@platen/formats/mesh/surface-buffer';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { fromLocal, localFrameAt } from '@platen/geo/geodesy/local-frame';
import { transformPosition } from '@platen/geo/geodesy/matrix';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { describeMesh } from './describe-mesh.ts';

/** Larger files take too long to look into, and too much memory. */
const maxBytes = 48 << 20;
/** Memory that its reader takes, in times the size of a file. */
const memoryShare = 10;
/** For one product. */
const maxMilliseconds = 5000;
const maxPositions = 1_000_000;

/** Describes an IFC by its products with a shape, as many as there is time for. */
export async function describeIfc(
  { name, bytes }: FileSubject,
  { issues, isOver, memoryBytes, signal }: InspectionContext,
): Promise<Finding> {
  const about = { name, issues, format: 'ifc', formatTitle: 'IFC', geometryTypes: ['Triangle'] };
  const extent = emptyExtent();
  const limit = Math.min(maxBytes, memoryBytes / memoryShare);
  if (bytes.size > limit) {
    issues.add(
      'tooLarge',
      `${name} has more than ${Math.floor(limit / 2 ** 20)} MiB: it is not looked into before it is converted.`,
    );
    return describeMesh({ ...about, featureCount: 1, isEstimated: true, extent, details: {} });
  }
  const content = await bytes.read(0, bytes.size);
  if (!isWhole(content))
    issues.add('truncatedFile', `${name} ends too early: a part of it is missing. Upload it again.`);
  const file = await openIfc(content, { onNotice: () => {}, maxMilliseconds, signal });
  try {
    const surfaces = createSurfaceBuffer(maxPositions);
    const classes = new Map<string, number>();
    let seen = 0;
    for await (const { class: type, parts } of file.products()) {
      if (isOver()) break;
      seen++;
      if (parts.length === 0) continue;
      classes.set(type, (classes.get(type) ?? 0) + 1);
      for (const { positions, indices } of parts) {
        for (const [i, vertex] of indices.entries()) {
          const [x, y, z] = positions.subarray(vertex * 3, vertex * 3 + 3) as unknown as [
            number,
            number,
            number,
          ];
          growExtent(extent, x, y, z);
          if (isFull(surfaces)) continue;
          pushVertex(surfaces, x, y, z);
          if (i % 3 < 2) continue;
          endRing(surfaces);
          endSurface(surfaces);
        }
        if (isOver()) break;
      }
    }
    const isSample = seen < file.productCount;
    const count = [...classes.values()].reduce((sum, one) => sum + one, 0);
    const { place } = file;
    const bbox = place && !isEmptyExtent(extent) ? bboxOf(place, extent) : undefined;
    if (bbox !== undefined && place?.kind === 'site')
      issues.add(
        'placeOfSite',
        `${name} is shown where its site says that it is (${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}). Many programs write their own town there: set the placement if it stands elsewhere.`,
      );
    return describeMesh({
      ...about,
      version: file.schema.replace(/^IFC/i, '').toLowerCase(),
      featureCount: isSample ? (count / seen) * file.productCount : count,
      isEstimated: isSample,
      extent,
      isExtentEstimated: isSample,
      surfaces,
      bbox,
      details: { classes: Object.fromEntries(classes), ...(place?.kind === 'crs' && { crs: place.crs }) },
    });
  } finally {
    await file.close();
  }
}

type Bbox = NonNullable<InspectedLayer['bbox']>;

/** Undefined if its coordinate system is not known, or the model lies outside of it. */
function bboxOf(place: ModelPlace, extent: Extent): Bbox | undefined {
  try {
    const corners = cornersOf(extent).map(toLonLat(place));
    const [lons, lats] = [0, 1].map((axis) => corners.map((corner) => corner[axis]!)) as [number[], number[]];
    const bbox = [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
    return bbox.every(Number.isFinite) ? (bbox as Bbox) : undefined;
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    return undefined;
  }
}

type Corner = [x: number, y: number, z: number];

function toLonLat(place: ModelPlace): (corner: Corner) => readonly number[] {
  if (place.kind === 'crs') {
    const crs = findCrs(place.crs);
    return (corner) => {
      const point = Float64Array.from(transformPosition(place.matrix, corner).slice(0, 2));
      crs.toLonLat(point, 1);
      return [...point];
    };
  }
  const { longitude, latitude, height, heading, origin } = place;
  const frame = localFrameAt(longitude, latitude, height);
  const [sin, cos] = [Math.sin((heading * Math.PI) / 180), Math.cos((heading * Math.PI) / 180)];
  return (corner) => {
    const [x, y, z] = corner.map((value, axis) => value - origin[axis]!) as Corner;
    return geodeticOf(fromLocal(frame, [x * cos + y * sin, y * cos - x * sin, z]));
  };
}
