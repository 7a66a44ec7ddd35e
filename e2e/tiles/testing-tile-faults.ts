import { PbfReader } from 'pbf';
import { signedArea } from './testing-clipping.ts';

/** Rules for a tile beyond readability. */
export interface TileRules {
  readonly extent: number;
  /** Buffer in tile units; no vertex may be farther outside. */
  readonly buffer: number;
}

/**
 * Everything in a tile that is against Mapbox Vector Tile 2.1 (section numbers in the messages), or that would be waste:
 * unused or repeated keys and values, repeated vertices, rings without area, features without id.
 */
export function faultsOf(bytes: Uint8Array, rules: TileRules): string[] {
  const faults: string[] = [];
  const names = new Set<string>();
  new PbfReader(bytes).readFields((tag, _none, pbf) => {
    if (tag !== 3) return void faults.push(`unknown field ${tag} of the tile (4.1)`);
    const layer = readLayer(pbf, faults);
    if (layer.name === '' || names.has(layer.name)) faults.push(`layer name “${layer.name}” (4.1)`);
    names.add(layer.name);
    faults.push(...faultsOfLayer(layer, rules).map((fault) => `layer ${layer.name}: ${fault}`));
  }, undefined);
  if (names.size === 0) faults.push('no layer');
  return faults;
}

interface RawLayer {
  version: number;
  name: string;
  extent: number;
  readonly features: RawFeature[];
  readonly keys: string[];
  /** Encoded values as latin1, to compare their exact bytes. */
  readonly values: string[];
}

interface RawFeature {
  id: number | undefined;
  type: number;
  tags: number[];
  geometry: number[];
}

function readLayer(pbf: PbfReader, faults: string[]): RawLayer {
  const layer: RawLayer = { version: 0, name: '', extent: 0, features: [], keys: [], values: [] };
  const end = pbf.readVarint() + pbf.pos;
  pbf.readFields(
    (tag) => {
      if (tag === 15) layer.version = pbf.readVarint();
      else if (tag === 1) layer.name = pbf.readString();
      else if (tag === 2) layer.features.push(readFeature(pbf, faults));
      else if (tag === 3) layer.keys.push(pbf.readString());
      else if (tag === 4) layer.values.push(Buffer.from(pbf.readBytes()).toString('latin1'));
      else if (tag === 5) layer.extent = pbf.readVarint();
      else faults.push(`unknown field ${tag} of a layer (4.1)`);
    },
    undefined,
    end,
  );
  return layer;
}

function readFeature(pbf: PbfReader, faults: string[]): RawFeature {
  const feature: RawFeature = { id: undefined, type: 0, tags: [], geometry: [] };
  const end = pbf.readVarint() + pbf.pos;
  pbf.readFields(
    (tag) => {
      if (tag === 1) feature.id = pbf.readVarint();
      else if (tag === 2) feature.tags = pbf.readPackedVarint();
      else if (tag === 3) feature.type = pbf.readVarint();
      else if (tag === 4) feature.geometry = pbf.readPackedVarint();
      else faults.push(`unknown field ${tag} of a feature (4.2)`);
    },
    undefined,
    end,
  );
  return feature;
}

function faultsOfLayer(layer: RawLayer, rules: TileRules): string[] {
  const { version, extent, features, keys, values } = layer;
  const faults: string[] = [];
  if (version !== 2) faults.push(`version ${version} (4.1)`);
  if (extent !== rules.extent) faults.push(`extent ${extent} (4.1)`);
  if (features.length === 0) faults.push('no feature (4.1)');
  if (new Set(keys).size < keys.length) faults.push('a key twice (4.4)');
  if (new Set(values).size < values.length) faults.push('a value twice (4.4)');
  const usedKeys = new Set<number>();
  const usedValues = new Set<number>();
  for (const [index, feature] of features.entries()) {
    const { id, tags } = feature;
    const found = faultsOfGeometry(feature, rules);
    if (id === undefined) found.push('no id');
    if (tags.length % 2 === 1) found.push('a key without a value (4.4)');
    const ownKeys = new Set<number>();
    for (let i = 0; i + 1 < tags.length; i += 2) {
      const [key, value] = [tags[i]!, tags[i + 1]!];
      if (key >= keys.length || value >= values.length) found.push('a tag beyond the keys or values (4.4)');
      if (ownKeys.has(key)) found.push(`the key “${keys[key]}” twice (4.4)`);
      ownKeys.add(key);
      usedKeys.add(key);
      usedValues.add(value);
    }
    faults.push(...found.map((fault) => `feature ${index} (id ${id}): ${fault}`));
  }
  if (usedKeys.size < keys.length) faults.push(`${keys.length - usedKeys.size} keys that nothing uses`);
  if (usedValues.size < values.length)
    faults.push(`${values.length - usedValues.size} values that nothing uses`);
  return faults;
}

interface Part {
  readonly vertices: { x: number; y: number }[];
  isClosed: boolean;
}

function faultsOfGeometry({ type, geometry }: RawFeature, rules: TileRules): string[] {
  const faults: string[] = [];
  const parts = readParts(geometry, faults);
  const beyond = (value: number) => value < -rules.buffer || value > rules.extent + rules.buffer;
  if (parts.some(({ vertices }) => vertices.some(({ x, y }) => beyond(x) || beyond(y))))
    faults.push('a vertex beyond the buffer');
  if (type === 1) faults.push(...faultsOfPoints(parts));
  else if (type === 2) faults.push(...faultsOfLines(parts));
  else if (type === 3) faults.push(...faultsOfPolygons(parts));
  else faults.push(`geometry type ${type} (4.3.4)`);
  return faults;
}

/** Each MoveTo begins a part; one with several points begins several. */
function readParts(geometry: readonly number[], faults: string[]): Part[] {
  const parts: Part[] = [];
  let x = 0;
  let y = 0;
  for (let at = 0; at < geometry.length;) {
    const [command, count] = [geometry[at]! & 7, geometry[at]! >>> 3];
    at++;
    if (command === 7) {
      if (count !== 1 || parts.length === 0) faults.push('a wrong ClosePath (4.3.3.3)');
      else parts.at(-1)!.isClosed = true;
      continue;
    }
    const isMove = command === 1;
    if ((!isMove && command !== 2) || count === 0 || at + count * 2 > geometry.length) {
      faults.push(`command ${command} × ${count} (4.3.1)`);
      return parts;
    }
    for (let i = 0; i < count; i++, at += 2) {
      x += unzigzag(geometry[at]!);
      y += unzigzag(geometry[at + 1]!);
      if (isMove) parts.push({ vertices: [], isClosed: false });
      if (parts.length === 0) faults.push('a LineTo without a MoveTo (4.3.3.2)');
      else parts.at(-1)!.vertices.push({ x, y });
    }
  }
  return parts;
}

const unzigzag = (value: number) => (value >>> 1) ^ -(value & 1);

function faultsOfPoints(parts: readonly Part[]): string[] {
  if (parts.length === 0) return ['no point (4.3.4.2)'];
  const isRight = parts.every(({ vertices, isClosed }) => vertices.length === 1 && !isClosed);
  return isRight ? [] : ['points that are lines (4.3.4.2)'];
}

function faultsOfLines(parts: readonly Part[]): string[] {
  if (parts.length === 0) return ['no line (4.3.4.3)'];
  return parts.flatMap(({ vertices, isClosed }) => {
    if (vertices.length < 2 || isClosed) return ['a line of one point, or closed (4.3.4.3)'];
    return repeats(vertices) ? ['a vertex twice (4.3.3.2)'] : [];
  });
}

function faultsOfPolygons(parts: readonly Part[]): string[] {
  if (parts.length === 0) return ['no ring (4.3.4.4)'];
  return parts.flatMap(({ vertices, isClosed }, index) => {
    if (vertices.length < 3 || !isClosed) return ['a ring of two points, or not closed (4.3.4.4)'];
    const faults: string[] = [];
    const area = signedArea(vertices);
    if (area === 0) faults.push('a ring without area (4.3.4.4)');
    if (index === 0 && area < 0) faults.push('begins with a hole (4.3.4.4)');
    if (repeats([...vertices, vertices[0]!])) faults.push('a vertex twice (4.3.3.2)');
    return faults;
  });
}

function repeats(vertices: Part['vertices']): boolean {
  return vertices.some(({ x, y }, i) => i > 0 && vertices[i - 1]!.x === x && vertices[i - 1]!.y === y);
}
