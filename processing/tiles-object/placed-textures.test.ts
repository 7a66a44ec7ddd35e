import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import sharp from 'sharp';
import { afterFile } from '../../checks/clean-up.ts';
import { gradient } from '../tiles-mesh/testing-surface.ts';
import { openObjectTests } from './testing.ts';
import { boxFaces, cityGml, houseXml, polygonXml } from './testing-models.ts';
import { onlyTile } from './testing-tileset.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

const [east, north] = [500_000, 5_500_000];
const [width, depth] = [10, 8];
const photo = await gradient(256);
const roof = boxFaces([east, north, 0], [width, depth, 6])[1]![1];
const corners = '0 0 1 0 1 1 0 1';

const appearance = (data: string): string =>
  `<app:appearance><app:Appearance><app:theme>rgb</app:theme><app:surfaceDataMember>${data}</app:surfaceDataMember></app:Appearance></app:appearance>`;
const parameterized = (inTarget: string): string =>
  appearance(
    `<app:ParameterizedTexture><app:imageURI>photo.png</app:imageURI><app:target uri="#a_1">${inTarget}</app:target></app:ParameterizedTexture>`,
  );
const georeferenced = (place: string): string =>
  appearance(
    `<app:GeoreferencedTexture><app:imageURI>photo.png</app:imageURI>${place}<app:target>#a_1</app:target></app:GeoreferencedTexture>`,
  );
const house = (more: string, replaced: (polygon: string) => string = (polygon) => polygon): string => {
  const polygon = polygonXml('a_1', roof);
  return houseXml({ id: 'a', at: [east, north, 0], size: [width, depth, 6], more }).replace(
    polygon,
    replaced(polygon),
  );
};
const turned = polygonXml('a_1', roof.toReversed());
const turnedCorners = '0 1 1 1 1 0 0 0';
const texturedSurface = (polygon: string, orientation: string, coordinates: string): string =>
  `<tex:TexturedSurface xmlns:tex="http://www.opengis.net/citygml/texturedsurface/2.0" orientation="${orientation}"><gml:baseSurface>${polygon}</gml:baseSurface><tex:appearance><tex:Material><tex:diffuseColor>0 0 1</tex:diffuseColor></tex:Material></tex:appearance><tex:appearance><tex:SimpleTexture><tex:textureMap>photo.png</tex:textureMap><tex:textureCoordinates>${coordinates}</tex:textureCoordinates><tex:textureType>specific</tex:textureType></tex:SimpleTexture></tex:appearance></tex:TexturedSurface>`;

/** The whole picture on the roof, east to the right and north upwards, in each way to say so. */
const ways = {
  TexCoordGen: house(
    parameterized(
      `<app:TexCoordGen><app:worldToTexture>${1 / width} 0 0 ${-east / width} 0 ${1 / depth} 0 ${-north / depth} 0 0 0 1</app:worldToTexture></app:TexCoordGen>`,
    ),
  ),
  GeoreferencedTexture: house(
    georeferenced(
      `<app:referencePoint><gml:Point><gml:pos>${east + width / 512} ${north + depth - depth / 512}</gml:pos></gml:Point></app:referencePoint><app:orientation>${width / 256} 0 0 ${-depth / 256}</app:orientation>`,
    ),
  ),
  'a TexturedSurface': house('', (polygon) => texturedSurface(polygon, '+', corners)),
  'a TexturedSurface that is turned around': house('', () => texturedSurface(turned, '-', turnedCorners)),
  'an OrientableSurface that is turned around': house(
    parameterized(
      `<app:TexCoordList><app:textureCoordinates ring="#a_1_ring">${turnedCorners}</app:textureCoordinates></app:TexCoordList>`,
    ),
    () =>
      `<gml:OrientableSurface orientation="-"><gml:baseSurface>${turned}</gml:baseSurface></gml:OrientableSurface>`,
  ),
};

async function run(content: string) {
  const zip = await tests.put('city.zip', zipOfFiles({ 'model.gml': cityGml(content), 'photo.png': photo }));
  const { outputFolder, warnings } = await tests.run([zip], {
    output: { format: 'folder' },
    heights: { mode: 'asGiven' },
    textures: { format: 'png' },
  });
  return { tile: await onlyTile(outputFolder), codes: warnings.map(({ code }) => code) };
}

for (const [way, content] of Object.entries(ways)) {
  test(`a picture lies on a roof where its model says, by ${way}`, async () => {
    const { tile, codes } = await run(content);
    assert.deepEqual(codes, []);
    const painted = tile.primitives.find(({ colours }) => colours === undefined)!;
    assert.equal(painted.places.length, 4);
    const { data, info } = await sharp(tile.image(0))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (const [i, place] of painted.places.entries()) {
      const [lon, lat] = geodeticOf(place);
      const position = Float64Array.of(lon, lat);
      findCrs('EPSG:25832').fromLonLat(position, 1);
      const [u, v] = [painted.uvs![i * 2]!, painted.uvs![i * 2 + 1]!];
      const [x, y] = [Math.floor(u * info.width), Math.floor(v * info.height)];
      const [red, green] = data.subarray((y * info.width + x) * 3);
      assert.ok(Math.abs(red! - ((position[0]! - east) / width) * 255) < 12, `${red} at ${position.join()}`);
      assert.ok(
        Math.abs(green! - ((position[1]! - north) / depth) * 255) < 12,
        `${green} at ${position.join()}`,
      );
    }
  });
}

test('pictures whose place is not said, and attributes of surfaces, are named', async () => {
  const nowhere = house(georeferenced('<app:preferWorldFile>true</app:preferWorldFile>')).replace(
    '<bldg:RoofSurface>',
    '<bldg:RoofSurface><gml:name>roof</gml:name><gen:doubleAttribute name="slope"><gen:value>0</gen:value></gen:doubleAttribute>',
  );
  const { tile, codes } = await run(nowhere);
  assert.deepEqual(codes, ['missingTextures', 'surfaceAttributes']);
  assert.deepEqual(tile.rows, [{ id: 'a', class: 'Building' }]);
  assert.equal(tile.json.images, undefined);
});
