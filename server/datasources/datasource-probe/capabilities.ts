import type { DatasourceProbe, ProbedLayer } from '@platen/contract/datasource-probe';
import { childrenOf, findElement, readXmlTree, textAt, type XmlElement } from '@platen/formats/xml/xml-tree';
import { plainAttribution } from '@platen/contract/plain-attribution';

export type ProbeResult = Omit<DatasourceProbe, 'url' | 'problem'>;

const maxLayers = 1000;
const wmsVersions = new Set(['1.1.1', '1.3.0', '1.1.0', '1.0.0']);

/** Reads the capabilities of a WMS or WMTS; undefined for other documents. */
export async function fromCapabilities(text: string): Promise<ProbeResult | undefined> {
  const root = await readXmlTree(text);
  if (root?.name === 'WMS_Capabilities' || root?.name === 'WMT_MS_Capabilities') return fromWms(root);
  const isWmts = root?.name === 'Capabilities' && findElement(root, 'Contents', 'Layer') !== undefined;
  return isWmts ? fromWmts(root) : undefined;
}

function fromWms(root: XmlElement): ProbeResult {
  const layers: ProbedLayer[] = [];
  const top = findElement(root, 'Capability', 'Layer');
  if (top) collect(top, undefined, layers);
  const { version } = root.attributes;
  const title = textAt(root, 'Service', 'Title') ?? textAt(top, 'Title');
  const attribution = plainAttribution(
    textAt(top, 'Attribution', 'Title') ??
      textAt(root, 'Service', 'ContactInformation', 'ContactPersonPrimary', 'ContactOrganization'),
  );
  const bbox = top && boxOfWms(top);
  return {
    type: 'wms',
    ...(title !== undefined && { title }),
    ...(attribution !== undefined && { attribution }),
    ...(bbox && { bbox }),
    layers,
    typeProperties: version !== undefined && wmsVersions.has(version) ? { version } : {},
  };
}

/** Layers without a name only group others, which inherit their extent. */
function collect(layer: XmlElement, around: number[] | undefined, into: ProbedLayer[]): void {
  const bbox = boxOfWms(layer) ?? around;
  const name = textAt(layer, 'Name');
  const title = textAt(layer, 'Title');
  if (name !== undefined && into.length < maxLayers)
    into.push({ name, ...(title !== undefined && { title }), ...(bbox && { bbox }) });
  for (const child of childrenOf(layer, 'Layer')) collect(child, bbox, into);
}

function boxOfWms(layer: XmlElement): number[] | undefined {
  const geographic = findElement(layer, 'EX_GeographicBoundingBox');
  const sides = ['westBoundLongitude', 'southBoundLatitude', 'eastBoundLongitude', 'northBoundLatitude'];
  if (geographic) return boxOf(sides.map((side) => textAt(geographic, side)));
  const { minx, miny, maxx, maxy } = findElement(layer, 'LatLonBoundingBox')?.attributes ?? {};
  return boxOf([minx, miny, maxx, maxy]);
}

function fromWmts(root: XmlElement): ProbeResult {
  const contents = findElement(root, 'Contents')!;
  const found = childrenOf(contents, 'Layer').slice(0, maxLayers);
  const layers = found.flatMap((layer): ProbedLayer[] => {
    const name = textAt(layer, 'Identifier');
    const title = textAt(layer, 'Title');
    const corners = findElement(layer, 'WGS84BoundingBox');
    const bbox = boxOf([
      ...(textAt(corners, 'LowerCorner')?.split(/\s+/) ?? []),
      ...(textAt(corners, 'UpperCorner')?.split(/\s+/) ?? []),
    ]);
    return name === undefined ? [] : [{ name, ...(title !== undefined && { title }), ...(bbox && { bbox }) }];
  });
  const [first] = found;
  const matrixSet = first && mercatorSet(contents, first);
  const format = textAt(first, 'Format');
  const style = textAt(first, 'Style', 'Identifier');
  const title = textAt(root, 'ServiceIdentification', 'Title');
  const attribution = plainAttribution(textAt(root, 'ServiceProvider', 'ProviderName'));
  return {
    type: 'wmts',
    ...(title !== undefined && { title }),
    ...(attribution !== undefined && { attribution }),
    ...(layers[0]?.bbox && { bbox: layers[0].bbox }),
    layers,
    typeProperties: {
      tilingSchema: 'mercator',
      ...(matrixSet !== undefined && { tileMatrixSetID: matrixSet }),
      ...(format !== undefined && { format }),
      ...(style !== undefined && { style }),
    },
  };
}

/** The tile matrix set of web mercator, which the map viewer shows; else the first of the layer. */
function mercatorSet(contents: XmlElement, layer: XmlElement): string | undefined {
  const linked = childrenOf(layer, 'TileMatrixSetLink').flatMap(
    (link) => textAt(link, 'TileMatrixSet') ?? [],
  );
  const mercator = new Set(
    childrenOf(contents, 'TileMatrixSet')
      .filter((set) => /3857|900913|102100/.test(textAt(set, 'SupportedCRS') ?? ''))
      .map((set) => textAt(set, 'Identifier')),
  );
  return linked.find((name) => mercator.has(name)) ?? linked[0];
}

/** Four numbers within the world; undefined if they are not. */
export function boxOf(sides: readonly (string | number | undefined)[]): number[] | undefined {
  const box = sides.map((side) => (side === undefined || side === '' ? NaN : Number(side)));
  if (box.length !== 4 || box.some((side) => !Number.isFinite(side))) return undefined;
  const [west, south, east, north] = box as [number, number, number, number];
  const isWorldly = Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && north <= 90;
  return isWorldly && south < north ? box : undefined;
}
