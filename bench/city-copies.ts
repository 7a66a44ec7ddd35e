import { open } from 'node:fs/promises';

/** Degrees between copies. */
const step = 0.01;
/** Copies beside each other: all of them have to stay in the country of the CRS. */
const columns = 64;
/** Ids, and latitudes with longitudes. */
const changing = /\b(?:bldg|lin|pol|srf)_|\b32\.9\d+ 130\.\d+/g;

/** The sample over and over, each copy at another place and with ids of its own. @returns the size in bytes */
export async function writeCityCopies(sample: string, path: string, copies: number): Promise<number> {
  const start = sample.indexOf('<core:cityObjectMember>');
  const end = sample.lastIndexOf('<app:appearanceMember>');
  const members = sample.slice(start, end < 0 ? sample.lastIndexOf('</core:CityModel>') : end);
  const constant = members.split(changing);
  const parts = [...members.matchAll(changing)].map(([text]) => {
    const [lat, lon] = text.split(' ').map(Number);
    return lon === undefined ? text : ([lat!, lon] as const);
  });
  const file = await open(path, 'w');
  try {
    await file.appendFile(sample.slice(0, start));
    for (let copy = 0; copy < copies; copy++) {
      const [north, east] = [Math.floor(copy / columns) * step, (copy % columns) * step];
      const moved = (part: (typeof parts)[number]): string =>
        typeof part === 'string'
          ? `${part}${copy}-`
          : `${(part[0] + north).toFixed(14)} ${(part[1] + east).toFixed(14)}`;
      await file.appendFile(
        constant.map((text, i) => (i === 0 ? text : moved(parts[i - 1]!) + text)).join(''),
      );
    }
    await file.appendFile('</core:CityModel>');
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
