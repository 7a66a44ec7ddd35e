import { BytesError } from '@platen/formats/bytes/bytes';
import { collectBeginning } from '@platen/formats/bytes/read-beginning';
import { rootElement } from '@platen/formats/xml/root-element';
import type { Inspector } from '../inspector.ts';
import { describeCityGml } from './describe-city-gml.ts';
import { describeCityJson } from './describe-city-json.ts';
import { looksLikeCityJson } from '@platen/formats/cityjson/looks-like-city-json';

const headBytes = 1 << 16;

/** Inspects CityGML, CityJSON and CityJSONSeq, optionally gzipped. */
export const inspectCityModel: Inspector = async (subject, context) => {
  const { bytes } = subject;
  if (bytes === undefined) return undefined;
  let head: Buffer;
  try {
    ({ content: head } = await collectBeginning(bytes, { maxBytes: headBytes }));
  } catch (error) {
    if (error instanceof BytesError) return undefined;
    throw error;
  }
  const file = { ...subject, bytes };
  if (rootElement(head)?.name === 'CityModel') return describeCityGml(file, context);
  return (await looksLikeCityJson(head, bytes)) ? describeCityJson(file, context) : undefined;
};
