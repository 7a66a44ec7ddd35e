import type { GeometryBuffer, GeometryType } from '@platen/formats/feature/geometry-buffer';
import type { Feature, VisitFeature } from '@platen/formats/feature/feature';
import type { AttributeValue, KeyTable } from '@platen/geo/mvt/attributes';
import type { BuildOptions, BuiltShape } from '@platen/geo/shape/build-shape';
import { lineType, pointType, polygonType, type ShapeType } from '@platen/geo/shape/shape';
import type { JobContext } from '../job-type.ts';
import { countValue, isMixed, type AttributeStatistics } from './attribute-statistics.ts';
import { tileIdFor } from './feature-id.ts';
import { statisticsOf, type Layer } from './layers.ts';
import type { RecordWriter } from './record-writer.ts';
import type { Settings } from './settings.ts';
import { deepestZoom } from './spec.ts';

export interface Ingest {
  /** What to do with the features of one file. */
  into(file: string, layer: Layer): VisitFeature;
}

export interface IngestCounts {
  read: number;
  used: number;
  withoutGeometry: number;
  invalidGeometry: number;
  invalidCoordinates: number;
}

export function noCounts(): IngestCounts {
  return { read: 0, used: 0, withoutGeometry: 0, invalidGeometry: 0, invalidCoordinates: 0 };
}

export interface IngestOptions {
  readonly settings: Settings;
  readonly keys: KeyTable;
  readonly layerNumbers: KeyTable;
  readonly writer: RecordWriter;
  readonly build: BuildOptions;
  readonly counts: IngestCounts;
  readonly warn: JobContext['warn'];
}

const shapeTypes: Readonly<Record<GeometryType, ShapeType>> = {
  Point: pointType,
  MultiPoint: pointType,
  LineString: lineType,
  MultiLineString: lineType,
  Polygon: polygonType,
  MultiPolygon: polygonType,
};
const typeNames = ['', 'Point', 'LineString', 'Polygon'] as const;

interface KnownAttribute {
  readonly key: number;
  readonly statistics: AttributeStatistics;
}

/** Turns features into records, and counts and reports what cannot be used. */
export function createIngest({
  settings,
  keys,
  layerNumbers,
  writer,
  build,
  counts,
  warn,
}: IngestOptions): Ingest {
  const { include, exclude, idProperty } = settings;

  const writeAttributes = (
    known: Map<string, KnownAttribute | undefined>,
    layer: Layer,
    properties: object,
  ): void => {
    for (const [name, given] of Object.entries(properties)) {
      if (given === null || given === undefined) continue;
      let attribute = known.get(name);
      if (attribute === undefined) {
        if (known.has(name)) continue;
        const wanted = !exclude.has(name) && (include === undefined || include.has(name));
        if (wanted) attribute = { key: keys.keyOf(name), statistics: statisticsOf(layer, name) };
        known.set(name, attribute);
        if (attribute === undefined) continue;
      }
      const value = typeof given === 'object' ? JSON.stringify(given) : (given as AttributeValue);
      const { statistics } = attribute;
      const mixedBefore = isMixed(statistics);
      countValue(statistics, value);
      if (!mixedBefore && isMixed(statistics)) {
        warn('mixedTypes', `The attribute "${name}" has values of several types; each keeps its own.`, {
          layer: layer.name,
          attribute: name,
        });
      }
      writer.attribute(attribute.key, value);
    }
  };
  const beginFeature = (
    known: Map<string, KnownAttribute | undefined>,
    layer: Layer,
    feature: Feature,
  ): void => {
    const { properties } = feature;
    const given =
      idProperty !== undefined && Object.hasOwn(properties, idProperty) ? properties[idProperty] : feature.id;
    const id = tileIdFor(given);
    writer.begin({ layer: layerNumbers.keyOf(layer.name), id: id?.number, minZoom: 0, maxZoom: deepestZoom });
    writeAttributes(known, layer, properties);
    // A text id survives as an attribute, unless one of that name is there or is where the id came from.
    if (id?.text !== undefined && !Object.hasOwn(properties, 'id') && given === feature.id) {
      writeAttributes(known, layer, { id: id.text });
    }
  };

  const report = (file: string, built: BuiltShape, where: () => object): void => {
    if (built.brokenParts > 0 && built.shape >= 0) {
      warn(
        'invalidGeometry',
        `Some parts of a geometry in ${file} have too few positions and were left out.`,
        {
          file,
          ...where(),
        },
      );
    }
    if (built.longEdges > 0) {
      warn(
        'longEdges',
        `Edges in ${file} are longer than half the world and run the long way around. If they are meant to cross the antimeridian, set processing.antimeridian to "shortest".`,
        { file, ...where() },
      );
    }
    if (built.beyondMercator > 0) {
      warn(
        'beyondMercator',
        `Points in ${file} beyond 85.05° of latitude were moved to the edge of the map.`,
        {
          file,
          ...where(),
        },
      );
    }
  };

  return {
    into(file, layer) {
      const known = new Map<string, KnownAttribute | undefined>();
      return (feature, place) => {
        counts.read++;
        const { geometry } = feature;
        if (feature.problem !== undefined) {
          counts.invalidGeometry++;
          warn('invalidGeometry', `Features of ${file} were skipped: ${feature.problem}.`, {
            file,
            ...place(),
          });
          return;
        }
        if (geometry.parts.length === 0) {
          counts.withoutGeometry++;
          return;
        }
        beginFeature(known, layer, feature);
        let invalid = false;
        let written = 0;
        for (const part of geometry.parts) {
          const type = shapeTypes[part.type];
          const built = writer.write(type, partOf(geometry, part), build);
          report(file, built, place);
          if (built.invalidCoordinates) invalid = true;
          if (built.shape < 0) continue;
          written++;
          layer.geometries[typeNames[type] as 'Point']++;
        }
        if (written > 0) {
          counts.used++;
          layer.features++;
        }
        if (invalid) {
          counts.invalidCoordinates++;
          const message = `Features of ${file} were skipped: coordinates are not finite or outside ±540°, ±90°.`;
          warn('invalidCoordinates', message, { file, ...place() });
        } else if (written === 0) {
          counts.invalidGeometry++;
          const message = `Features of ${file} were skipped: a line needs 2 positions, a ring 4.`;
          warn('invalidGeometry', message, { file, ...place() });
        }
      };
    },
  };
}

function partOf(
  geometry: GeometryBuffer,
  part: { readonly polygonStart: number; readonly polygonEnd: number },
) {
  return {
    coordinates: geometry.coordinates,
    ringEnds: geometry.ringEnds,
    polygonEnds: geometry.polygonEnds,
    polygonStart: part.polygonStart,
    polygonEnd: part.polygonEnd,
  };
}
