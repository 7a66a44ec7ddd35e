import { isObject } from '../../base/is-object.ts';
import { given, itemsOf, type Content, type Item, type Reports } from './findings.ts';

/** A projection that something in a module names. */
export interface NamedProjection {
  readonly pointer: string;
  readonly code: number;
}

interface Projections {
  /** Codes that `proj4` or an alias defines: the map viewer knows them from then on, wherever they stood. */
  readonly defined: ReadonlySet<number>;
  /** Those named without a definition of their own. */
  readonly named: readonly NamedProjection[];
}

/** All projections in a module; reports their errors. */
export function projectionsOf(content: Content, { error }: Reports): Projections {
  const defined = new Set<number>();
  const named: NamedProjection[] = [];
  const look = (projection: unknown, pointer: string) => {
    if (!given(projection)) return;
    if (!isObject(projection)) return error(pointer, 'type', 'It must be an object.');
    const { epsg, proj4, alias } = projection;
    const code = codeOf(epsg);
    if (code === undefined) {
      const detail = 'A projection needs `epsg`: a number, or text such as EPSG:25833.';
      return error(`${pointer}/epsg`, 'required', detail);
    }
    if (!given(proj4)) named.push({ pointer: `${pointer}/epsg`, code });
    else if (typeof proj4 !== 'string' || !isDefinition(proj4)) {
      const detail = 'It must be a definition such as “+proj=utm +zone=33 +ellps=GRS80”, or WKT.';
      error(`${pointer}/proj4`, 'type', detail);
    } else defined.add(code);
    if (Array.isArray(alias)) for (const other of alias) defined.add(codeOf(other) ?? code);
  };
  look(content['projection'], '/projection');
  for (const [index, layer] of itemsOf(content, 'layers').entries()) {
    const pointer = `/layers/${index}`;
    const { projection, extent, tileProvider } = layer;
    look(projection, `${pointer}/projection`);
    if (isObject(extent)) look(extent['projection'], `${pointer}/extent/projection`);
    if (isObject(tileProvider)) look(tileProvider['projection'], `${pointer}/tileProvider/projection`);
  }
  for (const [index, { dataSets }] of itemsOf(content, 'obliqueCollections').entries()) {
    if (!Array.isArray(dataSets)) continue;
    for (const [at, dataSet] of (dataSets as unknown[]).entries()) {
      if (isObject(dataSet))
        look(dataSet['projection'], `/obliqueCollections/${index}/dataSets/${at}/projection`);
    }
  }
  return { defined, named };
}

/** The number in `EPSG:25833`, as the map viewer finds it. */
export function codeOf(epsg: unknown): number | undefined {
  if (typeof epsg !== 'string' && !Number.isSafeInteger(epsg)) return undefined;
  const digits = /^(?:EPSG:)?:?(\d{1,9})$/i.exec(String(epsg))?.[1];
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
}

const isDefinition = (text: string) =>
  /\+(?:proj|init)=\w/.test(text) || /^\s*(?:[A-Z\d_]+\s*\[|\{)/i.test(text) || codeOf(text) !== undefined;

/** The consequence of naming a projection without a definition. */
export function detailOfUnknown({ pointer, code }: NamedProjection): string {
  const effect =
    pointer === '/projection/epsg'
      ? 'it rejects the whole module and all that follow'
      : 'it uses the projection of the app';
  return `The map viewer does not know EPSG:${code}. Without \`proj4\`, ${effect}.`;
}

/**
 * Whether coordinates in this projection are degrees, which is also the default unless the module has its own
 * projection.
 */
export function isGeographic(projection: unknown, ofModule: unknown): boolean {
  const of = isObject(projection) ? projection : isObject(ofModule) ? (ofModule as Item) : { epsg: 4326 };
  return codeOf(of['epsg']) === 4326;
}
