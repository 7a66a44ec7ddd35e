import { asNumbers, asObject, asObjects, asText } from '../json/read-values.ts';
import { parseAt, scanMembers, skipSpace, type MemberScan } from '../json/scan-members.ts';
import { createCityJsonScan, type CityJsonScan } from './city-json.ts';
import { takeObject, type VisitAttributes } from './take-object.ts';
import { dropPending, parseVertices, placeVertices } from './take-vertices.ts';

export interface ScanCityJsonOptions {
  readonly isOver: () => boolean;
  readonly visit: VisitAttributes;
}

export interface CityJsonContents extends MemberScan {
  readonly scan: CityJsonScan;
  /** Whether anything in the file belongs to CityJSON. */
  readonly isCityJson: boolean;
}

/** Small things, where parsing a gigabyte of them would only be an attack. */
const maxHeaderBytes = 16 << 20;
const maxTextures = 5000;

/** Scans CityJSON 1.0 to 2.0 (OGC 20-072r5) or a CityJSONSeq, or as much of its beginning as was read. */
export function scanCityJson(bytes: Uint8Array, options: ScanCityJsonOptions): CityJsonContents {
  const scan = createCityJsonScan();
  const start = bytes[0] === 0xef ? 3 : 0;
  const first = scanRoot(scan, bytes, start, options);
  let scanned: MemberScan = first;
  let isCityJson = first.isCityJson;
  while (scanned.state === 'whole' && !options.isOver()) {
    const at = skipSpace(bytes, scanned.at);
    if (at >= bytes.length) break;
    scan.isSequence = true;
    const next = scanRoot(scan, bytes, at, options);
    scanned = next;
    isCityJson ||= next.isCityJson;
  }
  return { ...scanned, scan, isCityJson };
}

function scanRoot(
  scan: CityJsonScan,
  bytes: Uint8Array,
  at: number,
  { isOver, visit }: ScanCityJsonOptions,
): MemberScan & { isCityJson: boolean } {
  let vertices: Float64Array | undefined;
  let isCityJson = false;
  let stopped: MemberScan | undefined;
  const takeObjects = (start: number): void => {
    isCityJson = true;
    const objects = scanMembers(bytes, start, (_name, from, to) => {
      takeObject(scan, parseAt(bytes, from, to), visit);
      return !isOver();
    });
    scan.objectBytes += objects.at - start;
    if (objects.state === 'broken' || objects.state === 'stopped') stopped = objects;
  };
  const scanned = scanMembers(
    bytes,
    at,
    (name, start, end) => {
      if (name === 'CityObjects') takeObjects(start);
      else if (name === 'vertices') vertices = parseVertices(bytes, start, end);
      else if (name === 'type') {
        const type = parseAt(bytes, start, end);
        if (type === 'CityJSONFeature') {
          scan.features++;
          scan.isSequence = true;
        }
        isCityJson ||= type === 'CityJSON' || type === 'CityJSONFeature';
      } else if (end - start <= maxHeaderBytes) takeHeader(scan, name, parseAt(bytes, start, end));
      return stopped === undefined;
    },
    (name, start) => {
      if (name === 'CityObjects') takeObjects(start);
    },
  );
  if (vertices !== undefined) placeVertices(scan, vertices);
  else if (scan.isSequence) dropPending(scan);
  return { ...(stopped ?? scanned), isCityJson };
}

/** A member of the root other than city objects and vertices. */
export function takeHeader(scan: CityJsonScan, name: string, value: unknown): void {
  const object = asObject(value);
  if (name === 'version') scan.version ??= asText(value)?.slice(0, 20);
  else if (name === 'metadata') {
    scan.title ??= asText(object?.['title'])?.slice(0, 200);
    scan.referenceSystem ??= asText(object?.['referenceSystem']);
    scan.geographicalExtent ??= asNumbers(object?.['geographicalExtent'], 6);
  } else if (name === 'transform') {
    const scale = asNumbers(object?.['scale'], 3);
    const translate = asNumbers(object?.['translate'], 3);
    if (scale !== undefined && translate !== undefined) scan.transform ??= { scale, translate };
  } else if (name === 'extensions') {
    for (const extension in object)
      if (scan.extensions.size < 100) scan.extensions.add(extension.slice(0, 100));
  } else if (name === 'appearance') {
    scan.materials += asObjects(object?.['materials']).length;
    for (const texture of asObjects(object?.['textures'])) {
      const image = asText(texture?.['image']);
      if (image !== undefined && scan.textures.size < maxTextures) scan.textures.add(image.slice(0, 500));
    }
  } else if (name === 'geometry-templates') scan.templates += asObjects(object?.['templates']).length;
}
