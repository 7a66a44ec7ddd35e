import assert from 'node:assert/strict';
import { test } from 'node:test';
import { surfaceRoles } from '../city-object/surface-roles.ts';
import type { CityObject } from '../city-object/city-object.ts';
import { member, model, read, square, surface } from './testing.ts';

const countOf = ({ geometries }: CityObject): number =>
  geometries.reduce((sum, { surfaces }) => sum + surfaces.surfaceEnds.length, 0);

for (const version of ['1.0', '2.0'] as const) {
  test(`parts, openings, attributes and addresses of CityGML ${version} are read`, async () => {
    const { objects, notices, crs } = await read(
      model(
        member(`<bldg:Building gml:id="a"><gml:name>Town &amp; hall</gml:name>
<gen:intAttribute name="flats"><gen:value>12</gen:value></gen:intAttribute>
<gen:stringAttribute name="Schlüssel"><gen:value>007</gen:value></gen:stringAttribute>
<gen:genericAttributeSet name="energy"><gen:doubleAttribute name="need"><gen:value>1.5</gen:value></gen:doubleAttribute></gen:genericAttributeSet>
<bldg:function codeSpace="codes.xml">1000</bldg:function><bldg:measuredHeight uom="m">9.5</bldg:measuredHeight>
<uro:lod1HeightType>2</uro:lod1HeightType><uro:risk><uro:FloodRisk><uro:depth>0.5</uro:depth></uro:FloodRisk></uro:risk>
<bldg:boundedBy><bldg:WallSurface gml:id="w"><gml:name>north</gml:name><bldg:lod3MultiSurface>${surface('p1')}</bldg:lod3MultiSurface>
<bldg:opening><bldg:Door><bldg:lod3MultiSurface>${surface('p2')}</bldg:lod3MultiSurface></bldg:Door></bldg:opening></bldg:WallSurface></bldg:boundedBy>
<bldg:consistsOfBuildingPart><bldg:BuildingPart gml:id="b"><bldg:yearOfConstruction>0001</bldg:yearOfConstruction><bldg:storeysAboveGround>2</bldg:storeysAboveGround><bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface><gml:surfaceMember>${square('p3')}</gml:surfaceMember></gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid></bldg:BuildingPart></bldg:consistsOfBuildingPart>
<bldg:lod2TerrainIntersection><gml:MultiCurve><gml:curveMember><gml:LineString><gml:posList>0 0 0 1 1 1</gml:posList></gml:LineString></gml:curveMember></gml:MultiCurve></bldg:lod2TerrainIntersection>
<bldg:address><core:Address><core:xalAddress><xAL:AddressDetails><xAL:Locality><xAL:LocalityName>Ulm</xAL:LocalityName></xAL:Locality></xAL:AddressDetails></core:xalAddress></core:Address></bldg:address></bldg:Building>`),
        version,
      ),
    );
    assert.deepEqual([notices, crs], [[], ['EPSG:25832']]);
    const [object] = objects as [CityObject];
    assert.deepEqual(
      object.parts.map((part) => ({ ...part, attributes: Object.fromEntries(part.attributes) })),
      [
        {
          id: 'a',
          class: 'Building',
          parent: -1,
          attributes: {
            name: 'Town & hall',
            flats: 12,
            Schlüssel: '007',
            'energy.need': 1.5,
            function: '1000',
            measuredHeight: 9.5,
            lod1HeightType: 2,
            'risk.depth': 0.5,
            'address.LocalityName': 'Ulm',
          },
        },
        {
          id: 'b',
          class: 'BuildingPart',
          parent: 0,
          attributes: { yearOfConstruction: 1, storeysAboveGround: 2 },
        },
      ],
    );
    assert.deepEqual(
      object.geometries.map(({ part, lod, isSolid, surfaces }) => [
        part,
        lod,
        isSolid,
        surfaces.roles.map((role) => surfaceRoles[role]),
      ]),
      [
        [0, 30, false, ['wall', 'door']],
        [1, 10, true, ['none']],
      ],
    );
  });
}

test('CityGML 3.0 and the draft 0.4 are read', async () => {
  const three =
    await read(`<core:CityModel xmlns:core="http://www.opengis.net/citygml/3.0" xmlns:con="http://www.opengis.net/citygml/construction/3.0" xmlns:bldg="http://www.opengis.net/citygml/building/3.0" xmlns:gen="http://www.opengis.net/citygml/generics/3.0" xmlns:gml="http://www.opengis.net/gml/3.2"><core:cityObjectMember><bldg:Building gml:id="a">
<core:genericAttribute><gen:IntAttribute><gen:name>flats</gen:name><gen:value>3</gen:value></gen:IntAttribute></core:genericAttribute>
<core:boundary><con:RoofSurface><core:lod2MultiSurface>${surface('p')}</core:lod2MultiSurface></con:RoofSurface></core:boundary>
<con:height><con:Height><con:value uom="m">7</con:value></con:Height></con:height></bldg:Building></core:cityObjectMember></core:CityModel>`);
  const [object] = three.objects as [CityObject];
  assert.deepEqual(Object.fromEntries(object.parts[0]!.attributes), { flats: 3, height: 7 });
  assert.deepEqual(
    object.geometries.map(({ lod, surfaces }) => [lod, surfaces.roles]),
    [[20, [surfaceRoles.indexOf('roof')]]],
  );
  const draft = await read(
    `<CityModel xmlns="http://www.citygml.org/citygml/0/4/0" xmlns:gml="http://www.opengis.net/gml"><cityObjectMember><Building gml:id="a"><stringAttribute><name>n</name><value>v</value></stringAttribute><lod1Geometry>${surface('p')}</lod1Geometry></Building></cityObjectMember></CityModel>`,
  );
  assert.deepEqual(draft.objects.map(countOf), [1]);
  assert.deepEqual(Object.fromEntries(draft.objects[0]!.parts[0]!.attributes), { n: 'v' });
});

test('references within an object draw surfaces once, those to other levels and objects copy them', async () => {
  const reference = (id: string): string =>
    `<gml:MultiSurface><gml:surfaceMember xlink:href="#${id}"/></gml:MultiSurface>`;
  const { objects, notices } = await read(
    model(
      member(
        `<bldg:Building gml:id="a"><bldg:lod2Solid>${reference('wall')}</bldg:lod2Solid><bldg:lod3MultiSurface>${reference('wall')}</bldg:lod3MultiSurface><bldg:boundedBy><bldg:WallSurface><bldg:lod2MultiSurface>${surface('wall')}</bldg:lod2MultiSurface></bldg:WallSurface></bldg:boundedBy></bldg:Building>`,
      ) +
        member(
          `<bldg:Building gml:id="b"><bldg:lod2MultiSurface>${reference('wall')}</bldg:lod2MultiSurface></bldg:Building>`,
        ) +
        member(
          `<bldg:Building gml:id="c"><bldg:lod2MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:OrientableSurface orientation="-"><gml:baseSurface xlink:href="#late"/></gml:OrientableSurface></gml:surfaceMember></gml:MultiSurface></bldg:lod2MultiSurface></bldg:Building>`,
        ) +
        member(
          `<bldg:Building gml:id="d"><bldg:lod2MultiSurface>${surface('late', 5)}</bldg:lod2MultiSurface><bldg:lod1MultiSurface>${reference('nowhere')}</bldg:lod1MultiSurface></bldg:Building>`,
        ),
    ),
  );
  const byId = new Map(objects.map((object) => [object.parts[0]!.id, object]));
  assert.deepEqual(
    byId.get('a')!.geometries.map(({ lod }) => lod),
    [30, 20],
  );
  assert.deepEqual(
    ['b', 'c', 'd'].map((id) => countOf(byId.get(id)!)),
    [1, 1, 1],
  );
  const { positions } = byId.get('c')!.geometries[0]!.surfaces;
  assert.deepEqual([...positions.subarray(0, 9)], [0, 0, 5, 0, 1, 5, 1, 1, 5], 'turned around');
  assert.deepEqual(notices, ['missingSurface d nowhere']);
});

test('implicit geometries stand at their reference points, also by a template of another object', async () => {
  const implicit = (geometry: string, x: number): string =>
    `<veg:lod2ImplicitRepresentation><core:ImplicitGeometry><core:transformationMatrix>2 0 0 1 0 2 0 0 0 0 2 0 0 0 0 1</core:transformationMatrix><core:relativeGMLGeometry ${geometry}</core:relativeGMLGeometry><core:referencePoint><gml:Point><gml:pos>${x} 20 30</gml:pos></gml:Point></core:referencePoint></core:ImplicitGeometry></veg:lod2ImplicitRepresentation>`;
  const { objects, notices } = await read(
    model(
      member(
        `<veg:SolitaryVegetationObject gml:id="second">${implicit('xlink:href="#tree">', 500)}</veg:SolitaryVegetationObject>`,
      ) +
        member(
          `<veg:SolitaryVegetationObject gml:id="first">${implicit(`>${surface('leaf', 1).replace('<gml:MultiSurface>', '<gml:MultiSurface gml:id="tree">')}`, 10)}</veg:SolitaryVegetationObject>`,
        ),
    ),
  );
  assert.deepEqual(notices, []);
  for (const { parts, geometries } of objects) {
    const [{ anchor, surfaces }] = geometries as [CityObject['geometries'][number]];
    assert.deepEqual(anchor, [parts[0]!.id === 'first' ? 10 : 500, 20, 30]);
    assert.deepEqual([...surfaces.positions.subarray(0, 9)], [1, 0, 2, 3, 0, 2, 3, 2, 2]);
  }
});

test('terrain, ADE objects and bad coordinates are read as far as possible', async () => {
  const { objects, notices } = await read(
    model(
      member(
        `<dem:ReliefFeature gml:id="r"><dem:lod>2</dem:lod><dem:reliefComponent><dem:TINRelief gml:id="t"><dem:lod>2</dem:lod><dem:tin><gml:TriangulatedSurface><gml:trianglePatches><gml:Triangle><gml:exterior><gml:LinearRing><gml:posList>0 0 0 1 0 0 0 1 0 0 0 0</gml:posList></gml:LinearRing></gml:exterior></gml:Triangle></gml:trianglePatches></gml:TriangulatedSurface></dem:tin></dem:TINRelief></dem:reliefComponent></dem:ReliefFeature>`,
      ) +
        member(
          `<uro:Crane gml:id="k"><uro:reach>40</uro:reach><uro:lod2MultiSurface>${surface('k1')}</uro:lod2MultiSurface></uro:Crane>`,
        ) +
        member(
          `<bldg:Building gml:id="x"><bldg:lod1MultiSurface><gml:MultiSurface><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>0 0 zero</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></bldg:lod1MultiSurface></bldg:Building>`,
        ),
    ),
  );
  assert.deepEqual(
    objects.map(({ parts }) => parts.at(-1)!.class),
    ['TINRelief', 'Crane', 'Building'],
  );
  assert.deepEqual(
    objects.map(({ geometries }) => geometries.map(({ lod }) => lod)),
    [[20], [20], []],
  );
  assert.deepEqual(objects[1]!.parts[0]!.attributes.get('reach'), 40);
  assert.deepEqual(notices, ['badPositions x']);
});

test('a file that is cut off anywhere is refused', async () => {
  const whole = model(
    member(
      `<bldg:Building gml:id="a"><bldg:lod1MultiSurface>${surface('p')}</bldg:lod1MultiSurface></bldg:Building>`,
    ),
  );
  for (let length = 1; length < whole.length; length += 13)
    await assert.rejects(read(whole.slice(0, length)), {
      name: 'SourceError',
      code: /^(?:truncatedFile|brokenXml)$/,
    });
});
