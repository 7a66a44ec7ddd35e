/** What mends a raster that maps do not show, or only slowly. */
export const cogAdvice = 'A task of the type platenConvertRaster makes imagery of it that maps show.';
