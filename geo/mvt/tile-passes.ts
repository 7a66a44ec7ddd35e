import type { Words } from '../shape/words.ts';
import type { ShapeType } from '../shape/shape.ts';
import type { PointClusters } from './cluster-points.ts';
import type { Crowd } from './crowd.ts';
import { shapeOf } from './feature-record.ts';
import { createGeometryGroup, type GeometryGroup } from './geometry-group.ts';
import type { Group } from './group-neighbours.ts';
import type { Pen } from './pen.ts';
import type { TileEncoder } from './tile-encoder.ts';
import type { TileFeatures } from './tile-features.ts';
import type { MadeTile } from './tile-maker.ts';

export interface Place {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The ways to go through a tile's features. All are undefined if the tile is empty. */
export interface TilePasses {
  /** Of all features; 'hopeless': given up before the end, as the tile can keep no limit. */
  whole(place: Place, features: TileFeatures): MadeTile | 'hopeless' | undefined;
  /** Of the features that are taken, by their ordinals among those that are seen. */
  some(place: Place, features: TileFeatures, isTaken: (ordinal: number) => boolean): MadeTile | undefined;
  /** Of groups of features, by ordinal. */
  grouped(place: Place, features: TileFeatures, groups: ReadonlyMap<number, Group>): MadeTile | undefined;
  /** Makes no tile. */
  measure(place: Place, features: TileFeatures, crowd: Crowd): void;
}

export interface PassOptions {
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
  readonly limitBytes: number;
  readonly limitFeatures: number;
  readonly whenTooLarge: string;
}

/** No tile packs better than this, so that it need not be tried. */
const bestPacking = 64;

export function createTilePasses(
  { gzip, limitBytes, limitFeatures, whenTooLarge }: PassOptions,
  encoder: TileEncoder,
  points: PointClusters,
): TilePasses {
  const counts = { features: 0, refused: 0, dropped: 0, coalesced: 0 };

  const begin = ({ z, x, y }: Place): void => {
    Object.assign(counts, { features: 0, refused: 0, dropped: 0, coalesced: 0 });
    encoder.begin(z, x, y);
  };
  const finish = (): MadeTile | undefined => {
    const bytes = encoder.finish();
    if (bytes === undefined) return undefined;
    const { mended, unmended } = encoder;
    return { bytes, packed: gzip(bytes), ...counts, clusters: points.count, mended, unmended };
  };
  const count = (added: 'added' | 'outside' | 'full'): void => {
    if (added === 'added') counts.features++;
    else if (added === 'full') counts.refused++;
  };
  const visitSeen = (
    features: TileFeatures,
    visit: (seen: { store: Words; record: number; shape: number; drawn: Pen }, ordinal: number) => void,
  ): void => {
    let ordinal = 0;
    features.each((store, record, shape) => {
      const drawn = encoder.encode(store, record, shape);
      if (drawn !== undefined) visit({ store, record, shape, drawn }, ordinal++);
    });
  };

  return {
    whole(place, features) {
      begin(place);
      let isHopeless = false;
      features.each((store, record, shape) => {
        if (isHopeless) return;
        count(encoder.add(store, record, shape));
        isHopeless =
          whenTooLarge !== 'keep' &&
          (counts.refused > 0 ||
            counts.features > limitFeatures ||
            encoder.length > limitBytes * bestPacking);
      });
      return isHopeless ? 'hopeless' : finish();
    },
    some(place, features, isTaken) {
      begin(place);
      visitSeen(features, ({ store, record, drawn }, ordinal) => {
        if (isTaken(ordinal)) count(encoder.write(store, record, drawn));
        else counts.dropped++;
      });
      return finish();
    },
    grouped(place, features, groups) {
      begin(place);
      const open = new Map<Group, OpenGroup>();
      visitSeen(features, ({ store, record, drawn }, ordinal) => {
        const group = groups.get(ordinal);
        if (group === undefined || group.members === 1) {
          count(encoder.write(store, record, drawn));
          return;
        }
        let known = open.get(group);
        if (known === undefined) open.set(group, (known = openGroup(store, record, group.members)));
        known.geometry.add(drawn);
        if (ordinal === group.leader) known.head = copyHead(store, record);
        if (--known.missing > 0) return;
        counts.coalesced += group.members - 1;
        count(encoder.write(known.head!, 0, known.geometry.end()));
        open.delete(group);
      });
      return finish();
    },
    measure(place, features, crowd) {
      begin(place);
      crowd.begin(place.z, place.x, place.y);
      visitSeen(features, ({ store, record, shape, drawn }) =>
        crowd.push(store, record, shape, drawn.length),
      );
    },
  };
}

interface OpenGroup {
  readonly geometry: GeometryGroup;
  missing: number;
  /** A record without its shape. */
  head: Words | undefined;
}

function openGroup({ words }: Words, record: number, members: number): OpenGroup {
  const geometry = createGeometryGroup((words[record + 1]! & 3) as ShapeType);
  return { geometry, missing: members, head: undefined };
}

function copyHead({ words: source }: Words, record: number): Words {
  const words = source.slice(record, shapeOf(source, record));
  const { buffer, length } = words;
  return { words, floats: new Float32Array(buffer), bytes: new Uint8Array(buffer), length };
}
