import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly, viewOf } from '../bytes/read-exactly.ts';
import { SourceError } from '../source/source.ts';
import { childrenOf, findElement, readWholeXmlTree, textAt, type XmlElement } from '../xml/xml-tree.ts';
import { openE57Pages, type E57Pages } from './e57-pages.ts';
import { fieldOf, type E57Field } from './e57-field.ts';

/** Where a scanner stood: its axes as a unit quaternion x, y, z, w, and its place. */
export interface E57Pose {
  readonly rotation: readonly [number, number, number, number];
  readonly translation: readonly [number, number, number];
}

export type Limits = readonly [min: number, max: number];

/** A scan of an E57 file (ASTM E2807), as its XML section describes it. */
export interface E57Scan {
  readonly name: string;
  readonly points: number;
  /** Where the section of its points begins. */
  readonly offset: number;
  readonly fields: readonly E57Field[];
  /** Undefined where its points are packed in a way of its own. */
  readonly codec: string | undefined;
  /** In metres, in the coordinate system of the scanner unless a pose transforms them. */
  readonly bounds: readonly [number, number, number, number, number, number] | undefined;
  readonly pose: E57Pose | undefined;
  readonly intensityLimits: Limits | undefined;
  readonly colourLimits: Limits | undefined;
}

export interface E57 {
  readonly version: string;
  readonly scans: readonly E57Scan[];
  readonly images: number;
  /** WKT, or empty. */
  readonly crs: string;
  readonly library: string | undefined;
  readonly pages: E57Pages;
}

const headerBytes = 48;
const maxXmlBytes = 16 << 20;
const maxPageBytes = 1 << 20;
const minPageBytes = 64;

export function isE57(head: Uint8Array): boolean {
  return Buffer.from(head).toString('latin1', 0, 8) === 'ASTM-E57';
}

/** @throws BytesError */
export async function readE57(bytes: Bytes): Promise<E57> {
  const view = viewOf(await readExactly(bytes, 0, headerBytes));
  const long = (at: number) => Number(view.getBigUint64(at, true));
  const [offset, length, pageBytes] = [long(24), long(32), long(40)];
  if (long(16) > bytes.size) throw new BytesError('it is cut off');
  if (!(pageBytes >= minPageBytes && pageBytes <= maxPageBytes) || length > maxXmlBytes)
    throw new BytesError('its header is damaged');
  const pages = openE57Pages(bytes, pageBytes);
  const root = await readRoot(new TextDecoder().decode(await pages.read(offset, length)));
  const scans = childrenOf(findElement(root, 'data3D') ?? root, 'vectorChild');
  return {
    version: `${view.getUint32(8, true)}.${view.getUint32(12, true)}`,
    scans: scans.map(scanOf),
    images: findElement(root, 'images2D')?.children.length ?? 0,
    crs: textAt(root, 'coordinateMetadata') ?? '',
    library: textAt(root, 'e57LibraryVersion')?.slice(0, 200),
    pages,
  };
}

async function readRoot(xml: string): Promise<XmlElement> {
  try {
    const root = await readWholeXmlTree(xml);
    if (root?.name === 'e57Root') return root;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  throw new BytesError('its XML section is damaged');
}

function scanOf(scan: XmlElement): E57Scan {
  const numberAt = (...path: string[]): number => Number(textAt(scan, ...path) ?? NaN);
  const bounds = ['xMinimum', 'yMinimum', 'zMinimum', 'xMaximum', 'yMaximum', 'zMaximum'].map((name) =>
    numberAt('cartesianBounds', name),
  ) as unknown as NonNullable<E57Scan['bounds']>;
  const points = findElement(scan, 'points');
  const codecs = findElement(points, 'codecs')?.children ?? [];
  return {
    name: (textAt(scan, 'name') ?? '').slice(0, 200),
    points: Number(points?.attributes['recordCount'] ?? 0),
    offset: Number(points?.attributes['fileOffset'] ?? NaN),
    fields: (findElement(points, 'prototype')?.children ?? []).map(fieldOf),
    codec: codecs.find((codec) => findElement(codec, 'bitPackCodec') === undefined)?.children[0]?.name,
    bounds: isBox(bounds) ? bounds : undefined,
    pose: poseOf(findElement(scan, 'pose')),
    intensityLimits: limitsOf(findElement(scan, 'intensityLimits'), ['intensity']),
    colourLimits: limitsOf(findElement(scan, 'colorLimits'), ['colorRed', 'colorGreen', 'colorBlue']),
  };
}

function isBox(bounds: NonNullable<E57Scan['bounds']>): boolean {
  return bounds.every(Number.isFinite) && [0, 1, 2].every((axis) => bounds[axis]! <= bounds[axis + 3]!);
}

/** An element without a text is 0 (ASTM E2807, 8.4.3); a pose without a rotation or a translation has none. */
function poseOf(pose: XmlElement | undefined): E57Pose | undefined {
  if (pose === undefined) return undefined;
  const numbers = (part: string, names: readonly string[]): number[] =>
    names.map((name) => Number(textAt(pose, part, name) ?? 0));
  const turned = numbers('rotation', ['x', 'y', 'z', 'w']);
  const length = Math.hypot(...turned);
  const [x, y, z, w] = length > 0 ? turned.map((value) => value / length) : [0, 0, 0, 1];
  const [east, north, up] = numbers('translation', ['x', 'y', 'z']);
  return { rotation: [x!, y!, z!, w!], translation: [east!, north!, up!] };
}

function limitsOf(element: XmlElement | undefined, names: readonly string[]): Limits | undefined {
  if (element === undefined) return undefined;
  const ends = (end: string): number[] =>
    names.map((name) => Number(textAt(element, name + end) ?? (findElement(element, name + end) ? 0 : NaN)));
  const [min, max] = [Math.min(...ends('Minimum')), Math.max(...ends('Maximum'))];
  return Number.isFinite(min) && max > min ? [min, max] : undefined;
}
