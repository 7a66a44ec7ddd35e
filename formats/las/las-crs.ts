import type { Bytes } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';
import { crsOfKeys, type KeyedCrs } from '../geotiff/geo-crs.ts';
import { decodeGeoKeys } from '../geotiff/geo-keys.ts';
import { readRecord, textIn, type LasHeader, type LasRecord } from './read-header.ts';

const projectionUser = 'LASF_Projection';
const wktId = 2112;
const keysId = 34_735;
const doublesId = 34_736;
const textsId = 34_737;

/** Reads WKT or GeoTIFF keys: the one that the header names, or else the other. @throws BytesError */
export async function readLasCrs(
  bytes: Bytes,
  { isWkt }: LasHeader,
  records: readonly LasRecord[],
): Promise<KeyedCrs> {
  const of = async (id: number) => {
    const record = records.find((one) => one.user === projectionUser && one.id === id);
    return record ? readRecord(bytes, record) : new Uint8Array(0);
  };
  const wkt = textIn(await of(wktId));
  const keys = viewOf(await of(keysId));
  const shorts = Array.from({ length: keys.byteLength >> 1 }, (_, i) => keys.getUint16(i * 2, true));
  const doubles = viewOf(await of(doublesId));
  const numbers = Array.from({ length: doubles.byteLength >> 3 }, (_, i) => doubles.getFloat64(i * 8, true));
  const texts = Buffer.from(await of(textsId)).toString('latin1');
  const byKeys = crsOfKeys(decodeGeoKeys(shorts, numbers, texts));
  if (wkt === '' || (!isWkt && byKeys.text !== undefined)) return byKeys;
  return { text: wkt, citation: undefined, isUserDefined: false, vertical: undefined };
}
