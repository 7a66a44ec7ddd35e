/** The names of well-known grids in PROJ's collections, and EPSG's code of the heights they are for; the first counts. */
const grids: readonly (readonly [RegExp, string])[] = [
  [/rednap/, '5782'],
  [/egm0?96/, '5773'],
  [/egm(?:20)?08/, '3855'],
  [/egm84/, '5798'],
  [/g2018u|g2012b|geoid(?:03|06|09|12|18)|g(?:1999|2003)u/, '5703'],
  [/cgg2013/, '6647'],
  [/gcg20(?:11|16)/, '7837'],
  [/naptrans|nlgeo/, '5709'],
  [/hbg18/, '5710'],
  [/raf(?:09|18|20)/, '5720'],
  [/osgm(?:02|15)_gb|osgm15$/, '5701'],
  [/gv_hoehengrid/, '5778'],
  [/chgeo2004[a-z_]*ln02|chgeo2004_htrans/, '5728'],
];

/** `3855` for `us_nga_egm08_25.tif`, and for a name that begins with the code: `3855-egm2008.gtx`. */
export function geoidOfGridName(file: string): string | undefined {
  const name = file
    .slice(file.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.[a-z]+$/, '');
  const code = /^(?:epsg[-_:]?)?(\d{4,5})(?!\d)/.exec(name)?.[1];
  return code ?? grids.find(([pattern]) => pattern.test(name))?.[1];
}
