import type { InspectionSummary } from '@platen/contract/inspect';

/** Translation and number formatting in the user's language. */
export interface Translator {
  readonly t: (key: string, named?: Readonly<Record<string, unknown>>, plural?: number) => string;
  readonly n: (value: number) => string;
}

type FileSummary = Pick<InspectionSummary, 'formatTitle' | 'kind' | 'facts'>;

/** What titles of formats are made of besides proper names; longer ones first. */
const formatWords = {
  'Cloud-optimized point cloud (COPC)': 'cloudOptimizedPointCloud',
  'Terrain (quantized-mesh)': 'terrain',
  'Mosaic of sheets': 'mosaic',
  'SRTM elevation tile': 'elevationTile',
  'with a world file': 'worldFile',
  'integrated mesh': 'integratedMesh',
  'LAS point cloud': 'lasPointCloud',
  'LAZ point cloud': 'lazPointCloud',
  'MBTiles archive': 'mbtilesArchive',
  'PMTiles archive': 'pmtilesArchive',
  'ESRI ASCII grid': 'asciiGrid',
  'Text of heights (XYZ)': 'xyzGrid',
  'arc seconds': 'arcSeconds',
  'zip archive': 'zipArchive',
  '3D objects': 'objects3d',
  'arc second': 'arcSecond',
  'E57 scans': 'scans',
} as const;

/** The title of a format with its version in the language of the user. */
export function formatName(
  title: string | undefined,
  version: string | undefined,
  { t }: Pick<Translator, 't'>,
): string {
  let name = [title, version].filter(Boolean).join(' ');
  for (const [words, key] of Object.entries(formatWords))
    if (name.includes(words)) name = name.replace(words, () => t(`inspect.formatWords.${key}`));
  return name;
}

/** A file in one line: “GeoPackage · 231,004 points · EPSG:25832”. */
export function describeInspection(
  { formatTitle, kind, facts }: FileSummary,
  translator: Translator,
): string {
  if (formatTitle === undefined) return translator.t('inspect.notRecognised');
  const format = formatName(formatTitle, facts.formatVersion, translator);
  const parts = [
    format,
    ...contentOf(kind, facts, translator),
    ...(facts.crs === undefined ? [] : [facts.crs]),
  ];
  return parts.join(' · ');
}

function contentOf(kind: FileSummary['kind'], facts: FileSummary['facts'], translator: Translator): string[] {
  const { t, n } = translator;
  const { layers, levelsOfDetail, width, height, sheets } = facts;
  if (sheets !== undefined) return [t('inspect.sheets', { n: n(sheets) }, sheets)];
  const levels = levelsOfDetail ? [`LoD ${levelsOfDetail.join(', ')}`] : [];
  if (kind === 'raster') {
    if (width === undefined || height === undefined) return levels;
    return [...levels, t('inspect.pixels', { width: n(width), height: n(height) })];
  }
  const several = layers > 1 ? [t('inspect.layers', { n: n(layers) }, layers)] : [];
  return [...levels, ...several, ...amountOf(kind, facts, translator)];
}

function amountOf(
  kind: FileSummary['kind'],
  { count, shape, isEstimated }: FileSummary['facts'],
  { t, n }: Translator,
): string[] {
  if (count === undefined || kind === undefined) return [];
  const amount = t(`inspect.amounts.${shape ?? kind}`, { n: n(count) }, count);
  return [isEstimated ? t('inspect.about', { amount }) : amount];
}

/** A description from the file name alone, by its extension. */
export function describeName(key: string, { t }: Pick<Translator, 't'>): string {
  const name = key.split('/').at(-1) ?? '';
  if (name === '') return t('inspect.folder');
  if (name === placeholderName) return t('inspect.placeholder');
  const ending = /\.([\p{L}\p{N}]{1,8})$/u.exec(name)?.[1];
  return ending === undefined ? t('inspect.file') : t('inspect.ofEnding', { ending: ending.toUpperCase() });
}

/** Name of the empty file that keeps an otherwise empty folder; the service has no folders without files. */
export const placeholderName = '.keep';
