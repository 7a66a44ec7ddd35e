import type { Property, PropertyValue, TableColumn } from '@platen/formats/gltf/property-table';
import type { LocalFrame } from '@platen/geo/geodesy/local-frame';
import {
  writeFeatureTile,
  type TexturePage,
  type TilePrimitive,
} from '../../models/glb/write-feature-tile.ts';
import type { StoredShape } from '../shape/read-shapes.ts';
import type { TileFeature } from './tile-vertices.ts';

export interface TileContent {
  readonly features: readonly TileFeature<StoredShape>[];
  readonly primitives: readonly TilePrimitive[];
  readonly pages: readonly TexturePage[];
  readonly frame: LocalFrame;
  /** How far shapes may be off, in metres; 0 for the finest tiles. */
  readonly error: number;
}

export interface TileForm {
  readonly version: '1.0' | '1.1';
  readonly properties: readonly Property[];
  readonly isUnlit: boolean;
  /** The finest tiles have lines at the edges of faces. */
  readonly hasOutlines: boolean;
}

/** Texts with more values than that are not kept in coarse tiles, where nobody clicks at single objects. */
const maxCoarseTexts = 64;
/** Metres: rounding of positions is never seen. */
const finestStep = 0.01;

/** The content of a tile: a GLB with a property table, or a b3dm with a batch table. */
export function writeTile(content: TileContent, form: TileForm): Uint8Array {
  const { features, primitives, pages, frame, error } = content;
  return writeFeatureTile(
    {
      count: features.length,
      columns: columnsOf(content, form),
      primitives: form.isUnlit
        ? primitives.map((one) => ({ ...one, paint: { ...one.paint, isUnlit: true } }))
        : primitives,
      pages,
      frame,
      maxStep: Math.max(finestStep, error / 20),
      hasOutlines: form.hasOutlines && error === 0,
    },
    form.version,
  );
}

interface Column extends TableColumn {
  readonly values: (PropertyValue | undefined)[];
  isEmpty: boolean;
}

function put(column: Column | undefined, feature: number, value: PropertyValue): void {
  if (column === undefined) return;
  column.values[feature] = column.property.type === 'STRING' ? String(value) : value;
  column.isEmpty = false;
}

function columnsOf({ features, error }: TileContent, { properties }: TileForm): TableColumn[] {
  const columns = properties.map((property): Column => ({
    property,
    values: features.map(() => undefined),
    isEmpty: true,
  }));
  const byName = new Map(columns.map((column) => [column.property.name, column]));
  const [ids, classes] = [byName.get('id'), byName.get('class')];
  // most shapes have the same attributes
  const byNames = new Map<readonly string[], (Column | undefined)[]>();
  for (const [feature, { shape }] of features.entries()) {
    const { names, values } = shape;
    let own = byNames.get(names);
    if (own === undefined) byNames.set(names, (own = names.map((name) => byName.get(name))));
    for (let i = 0; i < own.length; i++) put(own[i], feature, values[i]!);
    put(ids, feature, shape.id);
    put(classes, feature, shape.class);
  }
  return columns.filter(({ property, values, isEmpty }) => {
    const isLong = property.type === 'STRING' && property.name !== 'id' && error > 0;
    return !isEmpty && !(isLong && hasMore(values, maxCoarseTexts));
  });
}

/** Whether there are more different values than so many. */
function hasMore(values: readonly unknown[], count: number): boolean {
  const different = new Set<unknown>();
  for (const value of values) if (different.add(value).size > count) return true;
  return false;
}
