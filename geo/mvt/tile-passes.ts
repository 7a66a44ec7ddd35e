import type { Int32Buffer } from '../shape/int32-buffer.ts';
import type { ShapeType } from '../shape/shape.ts';
import type { PointClusters } from './cluster-points.ts';
import type { FeatureDensity } from './feature-density.ts';
import { shapeOf } from './feature-record.ts';
import { createGeometryGroup, type GeometryGroup } from './geometry-group.ts';
import type { Group } from './group-neighbours.ts';
import type { CommandWriter } from './command-writer.ts';
import type { MadeTile } from './made-tile.ts';
import type { TileEncoder } from './tile-encoder.ts';
import type { TileFeatures } from './tile-features.ts';

export interface TileCoordinates {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Passes over the features of a tile. All return undefined if the tile is empty. */
export interface TilePasses {
  /** Encodes all features; 'oversize' if it was given up because the tile cannot fit. */
  all(place: TileCoordinates, features: TileFeatures): MadeTile | 'oversize' | undefined;
  /** Encodes the selected features; ordinals count visible ones. */
  some(
    place: TileCoordinates,
    features: TileFeatures,
    isSelected: (ordinal: number) => boolean,
  ): MadeTile | undefined;
  /** Encodes groups of features, by ordinal. */
  grouped(
    place: TileCoordinates,
    features: TileFeatures,
    groups: ReadonlyMap<number, Group>,
  ): MadeTile | undefined;
  /** Measures features without encoding a tile. */
  measure(place: TileCoordinates, features: TileFeatures, density: FeatureDensity): void;
}

export interface PassOptions {
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
  readonly limitBytes: number;
  readonly limitFeatures: number;
  readonly whenTooLarge: string;
}

/** No tile compresses better, so that larger ones need not be tried. */
const maxCompression = 64;

export function createTilePasses(
  { gzip, limitBytes, limitFeatures, whenTooLarge }: PassOptions,
  encoder: TileEncoder,
  points: PointClusters,
): TilePasses {
  const counts = { features: 0, refused: 0, dropped: 0, coalesced: 0 };

  const begin = ({ z, x, y }: TileCoordinates): void => {
    Object.assign(counts, { features: 0, refused: 0, dropped: 0, coalesced: 0 });
    encoder.begin(z, x, y);
  };
  const finish = (): MadeTile | undefined => {
    const bytes = encoder.finish();
    if (bytes === undefined) return undefined;
    const { repaired, unrepaired } = encoder;
    return { bytes, packed: gzip(bytes), ...counts, clusters: points.count, repaired, unrepaired };
  };
  const count = (added: 'added' | 'outside' | 'full'): void => {
    if (added === 'added') counts.features++;
    else if (added === 'full') counts.refused++;
  };
  const visitVisible = (
    features: TileFeatures,
    visit: (
      seen: { store: Int32Buffer; record: number; shape: number; drawn: CommandWriter },
      ordinal: number,
    ) => void,
  ): void => {
    let ordinal = 0;
    features.each((store, record, shape) => {
      const drawn = encoder.encode(store, record, shape);
      if (drawn !== undefined) visit({ store, record, shape, drawn }, ordinal++);
    });
  };

  return {
    all(place, features) {
      begin(place);
      let isOversize = false;
      features.each((store, record, shape) => {
        if (isOversize) return;
        count(encoder.add(store, record, shape));
        isOversize =
          whenTooLarge !== 'keep' &&
          (counts.refused > 0 ||
            counts.features > limitFeatures ||
            encoder.length > limitBytes * maxCompression);
      });
      return isOversize ? 'oversize' : finish();
    },
    some(place, features, isSelected) {
      begin(place);
      visitVisible(features, ({ store, record, drawn }, ordinal) => {
        if (isSelected(ordinal)) count(encoder.write(store, record, drawn));
        else counts.dropped++;
      });
      return finish();
    },
    grouped(place, features, groups) {
      begin(place);
      const open = new Map<Group, OpenGroup>();
      visitVisible(features, ({ store, record, drawn }, ordinal) => {
        const group = groups.get(ordinal);
        if (group === undefined || group.members === 1) {
          count(encoder.write(store, record, drawn));
          return;
        }
        let known = open.get(group);
        if (known === undefined) open.set(group, (known = openGroup(store, record, group.members)));
        known.geometry.add(drawn);
        if (ordinal === group.leader) known.head = copyHead(store, record);
        if (--known.remaining > 0) return;
        counts.coalesced += group.members - 1;
        count(encoder.write(known.head!, 0, known.geometry.end()));
        open.delete(group);
      });
      return finish();
    },
    measure(place, features, density) {
      begin(place);
      density.begin(place.z, place.x, place.y);
      visitVisible(features, ({ store, record, shape, drawn }) =>
        density.push(store, record, shape, drawn.length),
      );
    },
  };
}

interface OpenGroup {
  readonly geometry: GeometryGroup;
  remaining: number;
  /** A record without its shape. */
  head: Int32Buffer | undefined;
}

function openGroup({ words }: Int32Buffer, record: number, members: number): OpenGroup {
  const geometry = createGeometryGroup((words[record + 1]! & 3) as ShapeType);
  return { geometry, remaining: members, head: undefined };
}

function copyHead({ words: source }: Int32Buffer, record: number): Int32Buffer {
  const words = source.slice(record, shapeOf(source, record));
  const { buffer, length } = words;
  return { words, floats: new Float32Array(buffer), bytes: new Uint8Array(buffer), length };
}
