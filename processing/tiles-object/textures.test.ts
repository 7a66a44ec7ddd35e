import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import sharp from 'sharp';
import { afterFile } from '../../checks/clean-up.ts';
import { openObjectTests } from './testing.ts';
import { cityGml, houseXml } from './testing-models.ts';
import { onlyTile, type DecodedTile } from './testing-tileset.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

/** The left half is red, the right half green. */
const picture = await sharp({
  create: { width: 200, height: 100, channels: 3, background: { r: 0, g: 200, b: 0 } },
})
  .composite([
    {
      input: { create: { width: 100, height: 100, channels: 3, background: { r: 200, g: 0, b: 0 } } },
      left: 0,
      top: 0,
    },
  ])
  .png()
  .toBuffer();

const textured = (theme: string, uri: string, ring: string, coordinates: string): string =>
  `<app:Appearance><app:theme>${theme}</app:theme><app:surfaceDataMember><app:ParameterizedTexture><app:imageURI>${uri}</app:imageURI><app:wrapMode>none</app:wrapMode><app:target uri="#${ring}"><app:TexCoordList><app:textureCoordinates ring="#${ring}_ring">${coordinates}</app:textureCoordinates></app:TexCoordList></app:target></app:ParameterizedTexture></app:surfaceDataMember></app:Appearance>`;

const material = (target: string): string =>
  `<app:Appearance><app:theme>rgb</app:theme><app:surfaceDataMember><app:X3DMaterial><app:diffuseColor>0 0 1</app:diffuseColor><app:target>#${target}</app:target></app:X3DMaterial></app:surfaceDataMember></app:Appearance>`;

const house = (more: string): string => houseXml({ id: 'a', at: [500_000, 5_500_000, 0], more });
/** The right half of the picture on the roof. */
const roof = textured('rgb', 'appearance\\Photo.PNG', 'a_1', '0.6 0 1 0 1 1 0.6 1 0.6 0');

async function tileOf(
  content: string,
  options: object = {},
): Promise<{ readonly decoded: DecodedTile; readonly warnings: readonly { readonly code: string }[] }> {
  const zip = zipOfFiles({ 'city/model.gml': cityGml(content), 'city/Appearance/photo.png': picture });
  const { outputFolder, warnings } = await tests.run([await tests.put('city.zip', zip)], {
    output: { format: 'folder' },
    heights: { mode: 'asGiven' },
    ...options,
  });
  return { decoded: await onlyTile(outputFolder), warnings };
}

/** The colours of the picture at the corners of all textured triangles. */
async function coloursOf(decoded: DecodedTile): Promise<number[][]> {
  const colours: number[][] = [];
  for (const { uvs, material: number } of decoded.primitives) {
    const texture = decoded.json.materials[number]!.pbrMetallicRoughness.baseColorTexture;
    if (uvs === undefined || texture === undefined) continue;
    const { data, info } = await sharp(decoded.image(texture.index))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (let i = 0; i < uvs.length; i += 2) {
      const [u, v] = [uvs[i]!, uvs[i + 1]!];
      const [x, y] = [
        Math.min(info.width - 1, Math.floor(u * info.width)),
        Math.min(info.height - 1, Math.floor(v * info.height)),
      ];
      colours.push([...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]);
    }
  }
  return colours;
}

const isGreen = ([r, g, b]: readonly number[]): boolean => r! < 110 && g! > 90 && b! < 60;

for (const format of ['webp', 'jpeg', 'png'] as const) {
  test(`the part of a picture that a roof needs is on it, as ${format}`, async () => {
    const { decoded, warnings } = await tileOf(house(`<app:appearance>${roof}</app:appearance>`), {
      textures: { format },
    });
    assert.deepEqual(warnings, []);
    assert.equal(decoded.primitives.length, 2, 'the roof, and the rest');
    const colours = await coloursOf(decoded);
    assert.equal(colours.length, 4);
    for (const colour of colours) assert.ok(isGreen(colour), colour.join());
    assert.equal(decoded.json.images![0]!.mimeType, `image/${format}`);
    const { width, height } = await sharp(decoded.image(0)).metadata();
    assert.ok(width < 150 && height < 130, `${width} × ${height}: the rest of the picture is left out`);
  });
}

test('appearances of the whole model, and those of CityGML 3.0, are found by the ids of surfaces', async () => {
  const global = `${house('')}<app:appearanceMember>${roof}</app:appearanceMember>`;
  assert.equal((await coloursOf((await tileOf(global)).decoded)).length, 4);
  const inThree = roof
    .replace(
      '<app:target uri="#a_1"><app:TexCoordList><app:textureCoordinates ring="#a_1_ring">',
      '<app:textureParameterization><app:TextureAssociation><app:target>#a_1</app:target><app:textureParameterization><app:TexCoordList><app:textureCoordinates>',
    )
    .replace(
      '</app:textureCoordinates></app:TexCoordList></app:target>',
      '</app:textureCoordinates><app:ring>#a_1_ring</app:ring></app:TexCoordList></app:textureParameterization></app:TextureAssociation></app:textureParameterization>',
    );
  const { decoded } = await tileOf(`${house('')}<app:appearanceMember>${inThree}</app:appearanceMember>`);
  const colours = await coloursOf(decoded);
  assert.equal(colours.length, 4);
  for (const colour of colours) assert.ok(isGreen(colour), colour.join());
});

test('themes are chosen: that with most textures, or the one that is asked for', async () => {
  const more = `<app:appearance>${textured('winter', 'appearance/photo.png', 'a_1', '0 0 0.4 0 0.4 1 0 1 0 0')}</app:appearance><app:appearance>${roof}</app:appearance><app:appearance>${textured('rgb', 'appearance/photo.png', 'a_2', '0.6 0 1 0 1 1 0.6 1 0.6 0')}</app:appearance>`;
  const usual = await coloursOf((await tileOf(house(more))).decoded);
  assert.equal(usual.length, 8);
  assert.ok(usual.every(isGreen));
  const winter = await coloursOf((await tileOf(house(more), { modelOptions: { theme: 'winter' } })).decoded);
  assert.equal(winter.length, 4);
  assert.ok(winter.every(([r, g]) => r! > 100 && g! < 90));
});

test('pictures that are missing or broken are named, and the surfaces keep plain colours', async () => {
  const missing = roof.replace('Photo.PNG', 'other.png');
  const { decoded, warnings } = await tileOf(house(`<app:appearance>${missing}</app:appearance>`));
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['missingTextures'],
  );
  assert.equal(decoded.primitives.length, 1);
  assert.equal(decoded.json.images, undefined);
  const none = await tileOf(house(`<app:appearance>${roof}</app:appearance>`), {
    textures: { format: 'none' },
  });
  assert.deepEqual([none.warnings, none.decoded.primitives.length], [[], 1]);
});

test('materials colour what they are for', async () => {
  const { decoded } = await tileOf(house(`<app:appearance>${material('a_1')}</app:appearance>`));
  assert.equal(decoded.primitives.length, 1);
  const { colours } = decoded.primitives[0]!;
  assert.equal(
    colours!.filter((_, i) => i % 4 === 2 && colours![i] === 255 && colours![i - 1] === 0).length,
    4,
  );
});
