import { maxSlugLength } from '@platen/contract/apps';
import anyAscii from 'any-ascii';

/** German is the first language of the cities that use Platen; others write these letters without the e. */
const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
/** What any language makes of a name without letters, and what precedes names that are too short. */
const plain = 'map';
const minLength = 3;
/** Slugs of this length without a hyphen look like ids. */
const idLength = 26;

/** The slug that the name of an app suggests, in Latin letters: “Bäume & Parks” is `baeume-parks`. */
export function slugOfName(name: string): string {
  const latin = name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöü]/g, (letter) => umlauts[letter]!);
  const words = anyAscii(latin)
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const slug = shorten(words.filter((word) => word !== ''));
  if (slug === '') return plain;
  if (slug.length < minLength) return `${plain}-${slug}`;
  return slug.length === idLength && !slug.includes('-') ? `${plain}-${slug}` : slug;
}

/** As many whole words as have room, or the beginning of the first one. */
function shorten([first = '', ...others]: readonly string[]): string {
  let slug = first.slice(0, maxSlugLength);
  for (const word of others) {
    const longer = `${slug}-${word}`;
    if (longer.length > maxSlugLength) break;
    slug = longer;
  }
  return slug;
}
