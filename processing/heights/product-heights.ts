/** A product whose heights are known by the name of its files. */
export interface ProductHeights {
  readonly title: string;
  /** `ellipsoid`, or EPSG's code of the vertical CRS. */
  readonly vertical: string;
}

/** From the producers' manuals. Names end before the extension. */
const products: readonly (readonly [RegExp, ProductHeights])[] = [
  [/^copernicus_dsm_(?:cog_)?\d\d_[ns]/, { title: 'Copernicus DEM', vertical: '3855' }],
  [/^[ns]\d\d[ew]\d{3}_fabdem/, { title: 'FABDEM', vertical: '3855' }],
  [/^(?:alpsmlc30_)?[ns]\d{3}[ew]\d{3}_(?:ave_)?dsm/, { title: 'ALOS World 3D', vertical: '5773' }],
  [/^astgtm/, { title: 'ASTER GDEM', vertical: '5773' }],
  [/^(?:nasadem_hgt_)?[ns]\d\d[ew]\d{3}(?:\.srtmgl\d)?$/, { title: 'SRTM', vertical: '5773' }],
  [/^srtm_\d\d_\d\d$/, { title: 'SRTM', vertical: '5773' }],
  [/^tdm1_(?:dem|edem)_/, { title: 'TanDEM-X DEM', vertical: 'ellipsoid' }],
  [/^(?:arcticdem_|rema_|setsm_)/, { title: 'ArcticDEM or REMA', vertical: 'ellipsoid' }],
  [/^swissalti3d_|^swisssurface3d/, { title: 'swissALTI3D', vertical: '5728' }],
  [/^ahn\d?_|^[mr]5?_\d\d[a-h][nz][12]/, { title: 'AHN', vertical: '5709' }],
  [/_ign69(?:_|$)/, { title: 'RGE ALTI', vertical: '5720' }],
  [/^pnoa[_-](?:mdt|mds|lidar)/, { title: 'PNOA', vertical: '5782' }],
  [/^usgs_(?:1|13|1m|opr|ned|lpc)_/, { title: 'USGS 3DEP', vertical: '5703' }],
  [/^gebco_/, { title: 'GEBCO', vertical: '5714' }],
];

const ending = /\.(?:tiff?|hgt|asc|xyz|zip|gz|laz|las|img|dem|txt)$/;
/** `.hgt.zip`, `.xyz.gz` */
const maxEndings = 2;

/** @param name of a file, with or without folders */
export function productOfName(name: string): ProductHeights | undefined {
  let plain = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  for (let i = 0; i < maxEndings; i++) plain = plain.replace(ending, '');
  return products.find(([pattern]) => pattern.test(plain))?.[1];
}
