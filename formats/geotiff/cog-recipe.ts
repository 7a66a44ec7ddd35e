/**
 * Commands of GDAL that make a GeoTIFF that VC Map shows. The alpha channel is made by gdalwarp, since the COG driver adds
 * none to a file that declares a value for no data.
 * @param sourceCrs for files that do not contain their coordinate system
 */
export function cogRecipe(input: string, sourceCrs?: string): string {
  const from = sourceCrs === undefined ? '' : ` -s_srs ${sourceCrs}`;
  return [
    `gdalwarp${from} -t_srs EPSG:3857 -dstalpha ${input} web.tif`,
    'gdal_translate -of COG -co TILING_SCHEME=GoogleMapsCompatible -co COMPRESS=LZW web.tif out.tif',
  ].join('; ');
}
