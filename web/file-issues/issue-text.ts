/** Sentences of inspections that differ only in what they name; those with reasons of other programs stay as they are. */
const sentences = {
  badVertices: '{file} has vertices whose coordinates are not three numbers.',
  blackBorder:
    '{file} has a black border, but does not hide it. Tasks suggest to make it transparent (mask.collar).',
  citation: '{file}: its CRS "{crs}" is unknown. Write its EPSG code into the file.',
  controlPoints:
    '{file} is georeferenced only by ground control points: warp it (gdalwarp), and upload the result.',
  cutJson: '{file} ends in the middle of its JSON: the file is truncated.',
  emptyArchive: '{file} contains no files. Upload the data itself.',
  endsEarly: '{file} ends too early: a part of it is missing. Upload it again.',
  exportWithout:
    '{file} requires extensions that the viewer does not support: {names}. Export it without them.',
  extensions: '{file} requires extensions that the viewer does not support: {names}.',
  farFeature:
    'Feature {feature} of {file} is at {place} (latitude, longitude), far from the others. Maps start where the others are. Check its coordinates.',
  farLine:
    'The feature in line {line} of {file} is at {place} (latitude, longitude), far from the others. Maps start where the others are. Check its coordinates.',
  gaps: '{folder}: the sheets leave {count} gaps between them, {share} % of what they cover. The map shows where.',
  gltfVersion: '{file} is of glTF version {version}: convert it to 2.0.',
  heights: '{file} has heights from {min} to {max}. If these are metres, no place on earth has such heights.',
  hugeImage:
    '{file} declares {width} × {height} pixels and was not decoded. Upload large images as cloud-optimized GeoTIFF.',
  inspectionFailed: 'Looking for {what} in {file} failed, which is a fault of this service.',
  inspectionTooLong: 'Looking for {what} in {file} took too long.',
  invalidJson: '{file} is not valid JSON at byte {byte}. The rest of the file was not read.',
  manyFields: '{file} has more than 1000 attributes. This report lists the first 1000.',
  manyLayers: 'It has {count} layers. This report covers the first {max}.',
  manyNodes: '{file} has more nodes than this report covers.',
  manyTiles: '{file} has more tiles than this report covers.',
  missingCrs:
    '{file} has no coordinate reference system. Ask the data provider for it, and add it to the file or to a .prj next to it.',
  newerLaz:
    '{file} was compressed by a newer version of LAZ than can be read. Write it again as LAZ of version 4.',
  noBounds: '{file} has no bounds. Give the datasource an extent.',
  noCityObjects: '{file} contains no city objects.',
  noContent: '{file} has no tile with content, so nothing is visible.',
  noCrs:
    '{file} has no coordinate reference system. Find out which one it uses, and enter it when a job asks for it.',
  noGeometry: '{file} has features without a geometry. Maps leave them out.',
  noPoints: '{file} contains no points according to its header.',
  noRootTile: '{file} has no root tile: it cannot be shown.',
  noTiles: '{file}: it contains no tiles.',
  noTransform: '{file} has no "transform", which CityJSON {version} requires: its position is uncertain.',
  noTypes: '{file} has city objects without a type.',
  noVolumes: '{file} has tiles without a bounding volume, or that are none.',
  noZooms: '{file} does not name its zoom levels.',
  notAllSheets:
    '{folder}: only {read} of {sheets} sheets were read, from all over the folder, as there was no time for more. The job reads all.',
  nothingVisible: '{file} contains nothing visible.',
  oldLaz:
    '{file} was compressed by an old version of LAZ. Compress it again, such as by laszip or pdal translate.',
  oldPmtiles:
    '{file} is a PMTiles archive of version {version}, but only version 3 is read: convert it (pmtiles convert).',
  oneGap: '{folder}: the sheets leave 1 gap between them, {share} % of what they cover. The map shows where.',
  outsideArea: '{file} is outside the area of use of {crs}. Check whether this is the right CRS.',
  panorama: '{file} is a panorama, but not twice as wide as high: it will be distorted.',
  photo:
    '{file} is a photo taken at {place} (latitude, longitude), not a map. It can be linked from a feature there.',
  placeless:
    'The root of {file} has no place on earth: it needs a transform from its own coordinates to geocentric ones (EPSG:4978).',
  sceneCrs: '{file} has no coordinate reference system. The viewer shows scene layers in EPSG:4326 only.',
  sceneInOther:
    '{file} is in {crs}: the viewer shows scene layers in EPSG:4326 only. Export it again as a global scene, in WGS 84.',
  sceneVersion: '{file} is of I3S {version}: the viewer shows 1.6 to 1.8. Export it again in one of those.',
  singleTile:
    '{file} is a single tile of a 3D tileset: upload the whole folder with its tileset.json, or a zip file of it.',
  srtmName:
    '{file} does not have a name such as N49E011.hgt, which is the only place that states its position. Rename it.',
  tileRows:
    '{file} does not say whether the rows of its tiles count from the north (XYZ) or from the south (TMS): XYZ is assumed. If the map appears upside down, it is TMS.',
  tooLarge: '{file} has more than {size} MiB: it is not looked into before it is converted.',
  undeclaredNoData:
    '{file} contains the value {value}, which usually means no data, but does not declare it. Declare it (gdal_edit.py -a_nodata {again}) to avoid pits and spikes.',
  unknownTiles: '{file}: its tiles are neither vector tiles nor PNG, JPEG or WebP.',
  unpackFirst:
    '{file} could be shown as it is if it were not in an archive. Unpack it, and upload the file itself.',
  valueBorder:
    '{file} has a border of the value {value}, but does not hide it. Tasks suggest to make it transparent (mask.noData).',
  whiteBorder:
    '{file} has a white border, but does not hide it. Tasks suggest to make it transparent (mask.collar).',
  worldFile: '{file} has no georeference. Upload its world file ({world}) with it, or georeference it.',
} as const;

/** A sentence of an inspection in the language of the user; undefined for sentences without a translation. */
export function issueText(
  message: string,
  t: (key: string, named: Readonly<Record<string, string>>) => string,
): string | undefined {
  for (const [key, sentence] of Object.entries(sentences)) {
    const named = valuesIn(message, sentence);
    if (named !== undefined) return t(`file-issues.details.${key}`, named);
  }
  return undefined;
}

/** What a message has in place of the names in braces; undefined if it is another sentence. */
function valuesIn(message: string, sentence: string): Record<string, string> | undefined {
  const [start = '', ...parts] = sentence.split('{');
  if (!message.startsWith(start)) return undefined;
  const named: Record<string, string> = {};
  let from = start.length;
  for (const [index, part] of parts.entries()) {
    const [name = '', text = ''] = part.split('}');
    const isLast = index === parts.length - 1;
    const to = isLast ? message.length - text.length : message.indexOf(text, from + 1);
    if (to <= from || !message.startsWith(text, to)) return undefined;
    named[name] = message.slice(from, to);
    from = to + text.length;
  }
  return from === message.length ? named : undefined;
}

/** For the test that compares them with what inspections say. */
export const issueSentences: Readonly<Record<string, string>> = sentences;
