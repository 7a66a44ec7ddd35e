import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from './find-crs.ts';
import { findVerticalCrs } from './find-vertical-crs.ts';

test('the height reference of compound CRSs is known in any spelling', () => {
  for (const [text, expected] of [
    ['EPSG:7415', 'NAP height'],
    ['urn:ogc:def:crs:EPSG::7415', 'NAP height'],
    ['https://www.opengis.net/def/crs/EPSG/0/6697', 'JGD2011 (vertical) height'],
    ['EPSG:25832+7837', 'DHHN2016 height'],
    ['urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783', 'DHHN92 height'],
    [
      'http://www.opengis.net/def/crs-compound?1=http://www.opengis.net/def/crs/EPSG/0/25832&2=http://www.opengis.net/def/crs/EPSG/0/7837',
      'DHHN2016 height',
    ],
    ['urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH', 'DHHN2016 height'],
    ['urn:adv:crs:DE_DHHN92_NH', 'DHHN92 height'],
    ['EPSG:4979', 'ellipsoid of WGS 84 (EPSG:4979)'],
    ['EPSG:7837', 'DHHN2016 height'],
    ['7837', 'DHHN2016 height'],
    ['ETRS89 / UTM zone 32N + DHHN2016 height', 'DHHN2016 height'],
    ['NAVD88 height (ftUS)', 'NAVD88 height (ftUS)'],
    ['+proj=utm +zone=10 +datum=NAD83 +geoidgrids=us_noaa_g2018u0.tif +vunits=us-ft', 'NAVD88 height'],
    ['COMPD_CS["a",PROJCS["b"],VERT_CS["Ordnance height"]]', 'Ordnance height'],
    ['EPSG:25832', undefined],
    ['nonsense', undefined],
    ['VERT_CS["cut', undefined],
    ['', undefined],
  ] as const)
    assert.equal(findVerticalCrs(text)?.name, expected, text);
});

const seaLevel = { kind: 'seaLevel', metresPerUnit: 1, isDepth: false };
const navd88 = { ...seaLevel, code: 'EPSG:5703', name: 'NAVD88 height', datum: '5103' };
const surveyFeet = { ...navd88, code: 'EPSG:6360', name: 'NAVD88 height (ftUS)' };

test('WKT of both versions and of ESRI gives the heights with their unit and direction', () => {
  const utm = 'PROJCS["NAD_1983_UTM_Zone_10N",GEOGCS["GCS_North_American_1983"]]';
  for (const [text, expected] of [
    [
      `COMPD_CS["x",${utm},VERT_CS["NAVD88 height",VERT_DATUM["North American Vertical Datum 1988",2005,AUTHORITY["EPSG","5103"]],UNIT["metre",1],AXIS["Up",UP],AUTHORITY["EPSG","5703"]]]`,
      navd88,
    ],
    [
      'COMPOUNDCRS["x",PROJCRS["y"],VERTCRS["NAVD88 height (ftUS)",VDATUM["North American Vertical Datum 1988"],CS[vertical,1],AXIS["gravity-related height (H)",up,LENGTHUNIT["US survey foot",0.304800609601219]]]]',
      { ...surveyFeet, metresPerUnit: 0.304800609601219 },
    ],
    [
      'BOUNDCRS[SOURCECRS[COMPOUNDCRS["x",PROJCRS["y"],VERTCRS["NAVD88 height",VDATUM["North American Vertical Datum 1988"],CS[vertical,1],AXIS["up",up],LENGTHUNIT["metre",1],ID["EPSG",5703]]]],TARGETCRS[GEOGCRS["WGS 84"]]]',
      navd88,
    ],
    [
      `COMPD_CS["x",${utm},VERTCS["NAVD_1988",VDATUM["North_American_Vertical_Datum_1988"],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],UNIT["Foot_US",0.3048006096012192]]]`,
      { ...surveyFeet, metresPerUnit: 0.3048006096012192 },
    ],
    [
      'VERTCS["EGM2008_Geoid",VDATUM["EGM2008_Geoid"],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",-1.0],UNIT["Meter",1.0]]',
      { ...seaLevel, code: 'EPSG:3855', name: 'EGM2008 height', datum: '1027', isDepth: true },
    ],
    [
      'VERT_CS["MSL depth",VERT_DATUM["Mean Sea Level",2005],UNIT["foot",0.3048],AXIS["Depth",DOWN]]',
      {
        ...seaLevel,
        code: 'EPSG:8051',
        name: 'MSL depth (ft)',
        datum: '5100',
        metresPerUnit: 0.3048,
        isDepth: true,
      },
    ],
    [
      'VERTCS["WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",1.0],UNIT["Meter",1.0]]',
      { kind: 'ellipsoid', name: 'ellipsoid of WGS_1984', metresPerUnit: 1, isDepth: false },
    ],
    [
      'GEOGCRS["ours",DATUM["x",ELLIPSOID["Bessel 1841",6377397.155,299.15]],CS[ellipsoidal,3],AXIS["latitude",north],AXIS["longitude",east],AXIS["height",up,LENGTHUNIT["metre",1]]]',
      {
        kind: 'ellipsoid',
        name: 'ellipsoid of ours',
        metresPerUnit: 1,
        isDepth: false,
        isOtherEllipsoid: true,
      },
    ],
  ] as const)
    assert.deepEqual(findVerticalCrs(text), expected, text);
});

test('heights of a geographic CRS are ellipsoidal, and another ellipsoid than that of WGS 84 is named', () => {
  assert.equal(findVerticalCrs('EPSG:4937')?.isOtherEllipsoid, undefined);
  assert.equal(findVerticalCrs('EPSG:4937')?.kind, 'ellipsoid');
  assert.equal(findVerticalCrs('EPSG:9267')?.isOtherEllipsoid, true); // MGI, on Bessel's
});

test('a compound CRS is found by the names of its parts', () => {
  const crs = findCrs('NAD83 / UTM zone 10N + NAVD88 height');
  assert.deepEqual([crs.code, crs.notes.map(({ code }) => code)], ['EPSG:26910', ['compoundHorizontal']]);
});

test('hostile texts give sound heights or none, and take no time', () => {
  for (const text of [
    '['.repeat(100_000),
    `VERT_CS["${'a'.repeat(90_000)}"]`,
    `VERT_CS["x",UNIT["y",${'9'.repeat(400)}]]`,
    'VERT_CS["x",UNIT["y",0],AXIS["z",SIDEWAYS]]',
    ' + '.repeat(50_000),
    `EPSG:${'9'.repeat(10_000)}`,
    '*DE_DHHN2016_NH'.repeat(5000),
    '*__proto__',
    '*constructor',
    `+proj=utm +geoidgrids=${'egm08'.repeat(20_000)}`,
  ]) {
    const begin = process.cpuUsage();
    const heights = findVerticalCrs(text);
    const { user, system } = process.cpuUsage(begin);
    assert.ok(user + system < 500_000, `${text.slice(0, 30)}: ${(user + system) / 1000} ms`);
    assert.ok(heights === undefined || (heights.metresPerUnit > 0 && heights.name.length <= 100));
  }
});
