import type { IfcAPI } from 'web-ifc';
import { BytesError } from '../bytes/bytes.ts';
import type { IfcLine, IfcLines } from './ifc-lines.ts';

/** Triangles of a product in one colour. */
export interface IfcPart {
  /** x, y, z of each vertex, in metres, z upwards. */
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** Red, green, blue and alpha from 0 to 1. */
  readonly colour: readonly [red: number, green: number, blue: number, alpha: number];
}

/** An IFC file, in memory until it is closed. */
export interface IfcModel extends IfcLines {
  /** Such as `IFC4`. */
  readonly schema: string;
  /** Products that may have a shape: no spaces, openings and places. */
  readonly products: readonly number[];
  /** @throws what web-ifc throws of a shape that it cannot make, or IfcFault */
  partsOf(product: number): IfcPart[];
  close(): void;
}

/** web-ifc failed in a way after which nothing can be read in the same memory: that may be in disorder. */
export class IfcFault extends Error {
  constructor(cause: unknown) {
    super('web-ifc has failed', { cause });
  }
}

/** Calls web-ifc. @throws IfcFault whatever that throws, which may be a number, an exception of C++ or a trap */
function call<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new IfcFault(cause);
  }
}

/** It read beyond its memory, ran out of it, ended itself, or nested too deeply. */
const isTrap = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError || error instanceof RangeError;

/** What has no shape of its own to be seen: spaces, openings, and what only helps to draw, with all that inherits from them. */
const unseen = [
  'IfcSpatialElement',
  'IfcSpatialStructureElement',
  'IfcFeatureElementSubtraction',
  'IfcVirtualElement',
  'IfcAnnotation',
  'IfcGrid',
  'IfcPort',
  'IfcPositioningElement',
  'IfcStructuralActivity',
  'IfcStructuralItem',
];

/**
 * Opens an IFC file (ISO 16739, as STEP of ISO 10303-21) by web-ifc, which takes up to some ten times its size of memory, and
 * may never end if the file is damaged. @throws BytesError if it cannot be read
 */
export async function openIfcModel(content: Uint8Array): Promise<IfcModel> {
  const api = await (opened ??= openApi());
  opened = undefined; // one file at a time
  try {
    return modelOf(api, api.OpenModel(content), content.length);
  } catch (error) {
    forget(api);
    throw new BytesError('it is no IFC of a schema that can be read, or is damaged at its beginning', {
      cause: error,
    });
  }
}

/** After a larger file its memory is given back. */
const maxKeptBytes = 8 << 20;
let opened: Promise<IfcAPI> | undefined;

/** Loaded where it is needed: few jobs need it, and it takes a moment. */
async function openApi(): Promise<IfcAPI> {
  const { IfcAPI: Api, LogLevel } = await import('web-ifc');
  const api = new Api();
  await api.Init(undefined, true);
  api.SetLogLevel(LogLevel.LOG_LEVEL_OFF);
  return api;
}

/** For the next file. */
function keep(api: IfcAPI, model: number): void {
  api.CloseModel(model);
  opened = Promise.resolve(api);
}

/** Its memory may be in disorder, and does not shrink. */
function forget(api: IfcAPI): void {
  api.Dispose();
}

function modelOf(api: IfcAPI, model: number, bytes: number): IfcModel {
  const idsOf = (type: string): number[] => {
    const code = call(() => api.GetTypeCodeFromName(type.toUpperCase()) as number | undefined);
    return code === undefined ? [] : call(() => [...api.GetLineIDsWithType(model, code, true)]);
  };
  const typeOf = (id: number): string =>
    call(() => api.GetNameFromTypeCode(Number(api.GetLineType(model, id))));
  const hidden = new Set(unseen.flatMap(idsOf));
  let isSound = true;
  return {
    schema: api.GetModelSchema(model),
    idsOf,
    typeOf,
    lineOf(id) {
      if (id === undefined) return undefined;
      try {
        return (api.GetLine(model, id) as IfcLine | undefined) ?? undefined;
      } catch (cause) {
        if (isTrap(cause)) throw new IfcFault(cause);
        return undefined; // it has fewer attributes than its type
      }
    },
    products: idsOf('IfcProduct').filter((id) => !hidden.has(id)),
    partsOf(product) {
      try {
        return partsOf(api, model, product);
      } catch (cause) {
        isSound = false;
        throw isTrap(cause) ? new IfcFault(cause) : cause;
      }
    },
    close: () => call(() => (isSound && bytes <= maxKeptBytes ? keep(api, model) : forget(api))),
  };
}

function partsOf(api: IfcAPI, model: number, product: number): IfcPart[] {
  const { geometries } = api.GetFlatMesh(model, product);
  return Array.from({ length: geometries.size() }, (_, i) => {
    const { geometryExpressID, flatTransformation, color } = geometries.get(i);
    const geometry = api.GetGeometry(model, geometryExpressID);
    const vertices = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize());
    const indices = api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize()).slice();
    const positions = positionsOf(vertices, flatTransformation);
    geometry.delete();
    return { positions, indices, colour: [color.x, color.y, color.z, color.w] };
  });
}

/** Vertices have a normal, too; web-ifc turns y upwards. */
const valuesPerVertex = 6;

function positionsOf(vertices: Float32Array, matrix: readonly number[]): Float64Array {
  const positions = new Float64Array((vertices.length / valuesPerVertex) * 3);
  for (let from = 0, to = 0; from < vertices.length; from += valuesPerVertex, to += 3) {
    const [x, y, z] = [vertices[from]!, vertices[from + 1]!, vertices[from + 2]!];
    positions[to] = matrix[0]! * x + matrix[4]! * y + matrix[8]! * z + matrix[12]!;
    positions[to + 1] = -(matrix[2]! * x + matrix[6]! * y + matrix[10]! * z + matrix[14]!);
    positions[to + 2] = matrix[1]! * x + matrix[5]! * y + matrix[9]! * z + matrix[13]!;
  }
  return positions;
}
