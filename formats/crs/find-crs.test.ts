import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findCrs, UnknownCrs } from './find-crs.ts';

function refusal(text: string): string {
  try {
    findCrs(text);
  } catch (error) {
    assert.ok(error instanceof UnknownCrs, String(error));
    return error.message;
  }
  return assert.fail(`${text} was found`);
}

function toLonLat(text: string, x: number, y: number): [number, number] {
  const place = Float64Array.of(x, y);
  findCrs(text).toLonLat(place, 1);
  return [place[0]!, place[1]!];
}

function esri(name: string, geographic: string, projection: string): string {
  return `PROJCS["${name}",${geographic},${projection},UNIT["Meter",1.0]]`;
}

function esriGeographic(name: string, datum: string, spheroid: string): string {
  return `GEOGCS["GCS_${name}",DATUM["D_${datum}",SPHEROID[${spheroid}]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`;
}

const grs80 = '"GRS_1980",6378137.0,298.257222101';
const bessel = '"Bessel_1841",6377397.155,299.1528128';

function transverse(
  easting: number,
  meridian: number,
  scale: number,
  method = 'Transverse_Mercator',
): string {
  return `PROJECTION["${method}"],PARAMETER["False_Easting",${easting}],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",${meridian}],PARAMETER["Scale_Factor",${scale}],PARAMETER["Latitude_Of_Origin",0.0]`;
}

const dhdn = esriGeographic('Deutsches_Hauptdreiecksnetz', 'Deutsches_Hauptdreiecksnetz', bessel);
const gaussKrueger4 = esri('DHDN_3_Degree_Gauss_Zone_4', dhdn, transverse(4_500_000, 12, 1, 'Gauss_Kruger'));

test('a code is found in every spelling', () => {
  const spellings = [
    'EPSG:25832',
    'epsg:25832',
    ' 25832\n',
    'EPSG::25832',
    'urn:ogc:def:crs:EPSG::25832',
    'urn:ogc:def:crs:EPSG:9.9.1:25832',
    'urn:x-ogc:def:crs:EPSG::25832',
    'http://www.opengis.net/def/crs/EPSG/0/25832',
    'https://www.opengis.net/def/crs/EPSG/9.9.1/25832',
    'http://www.opengis.net/gml/srs/epsg.xml#25832',
    '+init=epsg:25832',
    'ETRS89 / UTM zone 32N',
    'urn:adv:crs:ETRS89_UTM32',
  ];
  for (const spelling of spellings) {
    const { code, name, kind, northingFirst, area, notes } = findCrs(spelling);
    assert.deepEqual(
      { code, name, kind, northingFirst, area, notes },
      {
        code: 'EPSG:25832',
        name: 'ETRS89 / UTM zone 32N',
        kind: 'projected',
        northingFirst: false,
        area: [6, 38.76, 12.01, 84.33],
        notes: [],
      },
      spelling,
    );
  }
  for (const code of ['102100', 'ESRI:102113', 'EPSG:900913', '3785'])
    assert.equal(findCrs(code).code, 'EPSG:3857');
  assert.equal(findCrs('EPSG:3857').kind, 'webMercator');
  assert.equal(findCrs('ESRI:54009').name, 'Mollweide');
});

test('WGS 84 is longitude first as CRS84 and latitude first as EPSG:4326, and neither is touched', () => {
  for (const text of [
    'CRS84',
    'OGC:CRS84',
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'CRS:84',
    'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  ]) {
    const crs = findCrs(text);
    assert.deepEqual([crs.kind, crs.northingFirst], ['lonLat', false], text);
  }
  assert.deepEqual([findCrs('4326').kind, findCrs('4326').northingFirst], ['lonLat', true]);
  assert.deepEqual(toLonLat('EPSG:4326', 11.123456789, 48.987654321), [11.123456789, 48.987654321]);
});

test('the authority has the northing first in 4326, Gauss-Krüger, Poland and the European grid, not in UTM or at the poles', () => {
  for (const code of [4326, 4258, 6697, 31466, 31467, 31468, 31469, 2180, 3035, 3034, 32661, 2193]) {
    assert.equal(findCrs(`EPSG:${code}`).northingFirst, true, String(code));
  }
  for (const code of [3857, 25832, 3031, 3413, 5041, 27700, 2154, 5514, 2056]) {
    assert.equal(findCrs(`EPSG:${code}`).northingFirst, false, String(code));
  }
});

test('the horizontal part of a compound CRS is used, with a note', () => {
  const compounds = {
    'urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783': 'EPSG:25832',
    'http://www.opengis.net/def/crs-compound?1=http://www.opengis.net/def/crs/EPSG/0/25832&2=http://www.opengis.net/def/crs/EPSG/0/5783':
      'EPSG:25832',
    'EPSG:25832+5783': 'EPSG:25832',
    'urn:adv:crs:DE_DHDN_3GK4*DE_DHHN92_NH': 'EPSG:31468',
    'EPSG:7415': 'EPSG:7415',
    'EPSG:6697': 'EPSG:6697',
    [`COMPD_CS["any",${gaussKrueger4},VERT_CS["any",VERT_DATUM["any",2005],UNIT["metre",1]]]`]: 'EPSG:31468',
  };
  for (const [text, code] of Object.entries(compounds)) {
    const crs = findCrs(text);
    assert.equal(crs.code, code);
    assert.equal(crs.notes[0]?.code, 'compoundHorizontal', text);
  }
  assert.deepEqual(toLonLat('EPSG:7415', 121819, 487013), toLonLat('EPSG:28992', 121819, 487013));
});

test('a .prj of ESRI without a code is known by its name and its numbers, and keeps its datum shift', () => {
  const etrs89 = esriGeographic('ETRS_1989', 'ETRS_1989', grs80);
  const prj: Record<string, string> = {
    [esri('ETRS_1989_UTM_Zone_32N', etrs89, transverse(500_000, 9, 0.9996))]: 'EPSG:25832',
    [esriGeographic('WGS_1984', 'WGS_1984', '"WGS_1984",6378137.0,298.257223563')]: 'EPSG:4326',
    [gaussKrueger4]: 'EPSG:31468',
    [esri(
      'RD_New',
      esriGeographic('Amersfoort', 'Amersfoort', bessel),
      'PROJECTION["Double_Stereographic"],PARAMETER["False_Easting",155000.0],PARAMETER["False_Northing",463000.0],PARAMETER["Central_Meridian",5.38763888888889],PARAMETER["Scale_Factor",0.9999079],PARAMETER["Latitude_Of_Origin",52.15616055555555]',
    )]: 'EPSG:28992',
    [esri(
      'WGS_1984_Web_Mercator_Auxiliary_Sphere',
      esriGeographic('WGS_1984', 'WGS_1984', '"WGS_1984",6378137.0,298.257223563'),
      'PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0]',
    )]: 'EPSG:3857',
  };
  // proj4 by itself has it two thousand kilometres off.
  prj[
    esri(
      'WGS_1984_NSIDC_Sea_Ice_Polar_Stereographic_North',
      esriGeographic('WGS_1984', 'WGS_1984', '"WGS_1984",6378137.0,298.257223563'),
      'PROJECTION["Stereographic_North_Pole"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-45.0],PARAMETER["Standard_Parallel_1",70.0]',
    )
  ] = 'EPSG:3413';
  for (const [text, code] of Object.entries(prj)) assert.equal(findCrs(text).code, code, text);
});

test('a name that contradicts its numbers is ignored: the numbers count, on the named datum', () => {
  const moved = findCrs(
    esri('DHDN_3_Degree_Gauss_Zone_4', dhdn, transverse(4_500_100, 12, 1, 'Gauss_Kruger')),
  );
  assert.equal(moved.code, undefined);
  const there = toLonLat('EPSG:31468', 4_468_476, 5_333_306);
  const place = Float64Array.of(4_468_576, 5_333_306);
  moved.toLonLat(place, 1);
  assert.ok(
    Math.hypot(place[0]! - there[0], place[1]! - there[1]) < 1e-9,
    `${place.join()} instead of ${there.join()}`,
  );
});

test('WKT with a code is what the register says of the code', () => {
  const wkt2 =
    'PROJCRS["DHDN / 3-degree Gauss-Kruger zone 4",BASEGEOGCRS["DHDN",DATUM["Deutsches Hauptdreiecksnetz",ELLIPSOID["Bessel 1841",6377397.155,299.1528128,LENGTHUNIT["metre",1]]]],CONVERSION["any",METHOD["Transverse Mercator"]],CS[Cartesian,2],AXIS["northing (X)",north],AXIS["easting (Y)",east],LENGTHUNIT["metre",1],ID["EPSG",31468]]';
  assert.equal(findCrs(wkt2).code, 'EPSG:31468');
  assert.equal(
    findCrs(`BOUNDCRS[SOURCECRS[${wkt2}],TARGETCRS[GEOGCRS["WGS 84"]],ABRIDGEDTRANSFORMATION["any"]]`).code,
    'EPSG:31468',
  );
  const wkt1 = gaussKrueger4.replace(/\]$/, ',AUTHORITY["EPSG","31468"]]').replace('4_Degree', 'any');
  assert.equal(findCrs(wkt1).code, 'EPSG:31468');
});

test('a PROJ string is computed unchanged', () => {
  const place = Float64Array.of(691_567.3264, 5_334_734.3304);
  findCrs('+proj=utm +zone=32 +ellps=GRS80 +units=m +no_defs').toLonLat(place, 1);
  assert.ok(Math.hypot(place[0]! - 11.575, place[1]! - 48.137) < 1e-8);
  assert.equal(findCrs('+proj=longlat +ellps=bessel').notes[0]?.code, 'unknownDatumShift');
});

test('missing grids are reported, and a simpler shift is used', () => {
  for (const code of [27700, 31468, 4267, 26714, 27200]) {
    const { notes } = findCrs(`EPSG:${code}`);
    assert.deepEqual(
      notes.map((note) => note.code),
      ['missingGrid'],
      String(code),
    );
  }
});

test('a refusal says what was understood and what to do', () => {
  assert.match(refusal('EPSG:5783'), /DHHN92 height.*vertical.*EPSG:25832\+5783/);
  assert.match(refusal('EPSG:4978'), /geocentric.*EPSG:4326/);
  assert.match(refusal('EPSG:5817'), /local/);
  assert.match(refusal('EPSG:5516'), /Modified Krovak East North.*not supported/);
  assert.match(refusal('EPSG:25382'), /EPSG:25832 \(ETRS89 \/ UTM zone 32N\)/);
  assert.match(refusal('ETRS89 UTM 32N zone'), /Did you mean EPSG:\d+ \(ETRS89 \/ UTM zone 32N/);
  assert.match(refusal('GEOCCS["WGS 84",DATUM["x"]]'), /geocentric/);
  assert.match(refusal('LOCAL_CS["site"]'), /"site" is local/);
  assert.match(refusal('PROJCS["x",GEOGCS['), /damaged/);
  assert.match(refusal('+proj=nothing'), /not supported/);
  assert.match(refusal('+proj=geocent +datum=WGS84'), /not a geographic or projected/);
  assert.match(refusal(''), /coordinate system is missing/);
  assert.match(refusal('../../25832'), /not a known coordinate system/);
});

test('hostile text is refused, or found, but never an error or a long wait', () => {
  const deep = `${'PROJCS["a",'.repeat(50_000)}1${']'.repeat(50_000)}`;
  const hostile = [
    deep,
    deep.slice(0, 90_000),
    'PROJCS['.repeat(9),
    `"${'x'.repeat(1e6)}`,
    '['.repeat(1e5),
    '+proj='.repeat(1e5),
    'GEOGCS["__proto__",DATUM["constructor"]]',
  ];
  for (const text of hostile) refusal(text);
  const fragments = fc.constantFrom(
    'PROJCS[',
    'GEOGCS["a",',
    'DATUM["b",',
    'SPHEROID["c",1e400,0]',
    'UNIT["m",NaN]',
    ']',
    ',',
    '"',
    '+proj=',
    'utm',
    ' +zone=',
    '99',
    '+a=-1',
    'EPSG:',
    '\u0000',
    'PROJECTION["Transverse_Mercator"]',
    'PARAMETER["x",-1e308]',
  );
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 12 }), (parts) => {
      try {
        findCrs(parts.join(''));
      } catch (error) {
        assert.ok(error instanceof UnknownCrs, String(error));
      }
    }),
    { numRuns: 500, seed: 7 },
  );
});
