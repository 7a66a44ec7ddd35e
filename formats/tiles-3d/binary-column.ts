import { asIndex, asText, type JsonObject } from '../json/read-values.ts';

const components: Readonly<
  Record<string, { readonly bytes: number; readonly get: (view: DataView, at: number) => number }>
> = {
  BYTE: { bytes: 1, get: (view, at) => view.getInt8(at) },
  UNSIGNED_BYTE: { bytes: 1, get: (view, at) => view.getUint8(at) },
  SHORT: { bytes: 2, get: (view, at) => view.getInt16(at, true) },
  UNSIGNED_SHORT: { bytes: 2, get: (view, at) => view.getUint16(at, true) },
  INT: { bytes: 4, get: (view, at) => view.getInt32(at, true) },
  UNSIGNED_INT: { bytes: 4, get: (view, at) => view.getUint32(at, true) },
  FLOAT: { bytes: 4, get: (view, at) => view.getFloat32(at, true) },
  DOUBLE: { bytes: 8, get: (view, at) => view.getFloat64(at, true) },
};
const widths: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/**
 * Values in the binary part of a table: numbers, or lists of several components. Undefined if they are not there.
 * @param place its `byteOffset`, `componentType` and `type`; components given here count where it has none
 */
export function readBinaryColumn(
  place: JsonObject,
  binary: Uint8Array,
  count: number,
  defaults: { readonly componentType?: string; readonly type?: string } = {},
): readonly (number | number[])[] | undefined {
  const component = components[asText(place['componentType']) ?? defaults.componentType ?? ''];
  const width = widths[asText(place['type']) ?? defaults.type ?? 'SCALAR'];
  const start = asIndex(place['byteOffset']);
  if (component === undefined || width === undefined || start === undefined) return undefined;
  const stride = component.bytes * width;
  if (start + stride * count > binary.length) return undefined;
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  const at = (i: number, axis: number): number =>
    component.get(view, start + i * stride + axis * component.bytes);
  return Array.from({ length: count }, (_, i) =>
    width === 1 ? at(i, 0) : Array.from({ length: width }, (_axis, axis) => at(i, axis)),
  );
}
