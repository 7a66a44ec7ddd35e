import { readFile } from 'node:fs/promises';
import { gmlCrs } from '@platen/formats/gml/gml-crs';
import {
  readCityGml,
  readWaiting,
  type CityGmlOptions,
  type WaitingObject,
  type WaitingObjects,
} from '@platen/formats/citygml/read-city-gml';
import type { Translate } from '@platen/formats/citygml/object-attributes';
import type { CityObject, NoticeVisitor } from '@platen/formats/city-object/city-object';
import { readCityJson } from '@platen/formats/cityjson/read-city-json';
import { readChunks } from '@platen/formats/bytes/read-chunks';
import { SourceError } from '@platen/formats/source/source';
import type { ModelFile } from './model-file.ts';

export interface ModelVisitor {
  /** Colours and images are not asked for. */
  readonly hasAppearances: boolean;
  readonly theme: string | undefined;
  readonly translate: Translate | undefined;
  readonly onCrs: (name: string | undefined) => void;
  readonly onObject: (object: CityObject) => void;
  readonly onNotice: NoticeVisitor;
  /** Of a part of a model: called with objects that refer to surfaces of others. */
  readonly onWaiting?: (waiting: WaitingObject) => void;
  /** Of CityGML: called with the id of each surface that objects may refer to. */
  readonly onSurfaceId?: (id: string) => void;
  /** Only objects that waited are read. */
  readonly links?: WaitingObjects | undefined;
  /** Called now and then with the bytes read since the last call. */
  readonly onRead: (bytes: number) => void;
}

/** Limit of a text of CityGML. */
export const maxTextBytes = 256 << 20;
/** What Node reads into one buffer. */
const maxJsonBytes = 2 ** 31 - 1;

/** Reads all objects of a model. @throws SourceError */
export async function readModel(file: ModelFile, visitor: ModelVisitor): Promise<void> {
  if (file.format === 'citygml') {
    const { onWaiting, links, ...others } = visitor;
    const options: CityGmlOptions = {
      ...others,
      ...(onWaiting && file.members && { onWaiting }),
      part: file.members,
      chunks: (range) => readChunks(file.path, range),
      maxBytes: maxTextBytes,
      onCrs(name) {
        visitor.onCrs(name);
        return gmlCrs(name ?? '').northingFirst;
      },
    };
    await (links === undefined ? readCityGml(options) : readWaiting(options, links));
    return;
  }
  if (file.size > maxJsonBytes)
    throw new SourceError(
      'unsupported',
      'a CityJSON file of 2 GiB or more cannot be read: convert it to CityJSONSeq files, or divide it',
    );
  let before = 0;
  readCityJson(await readFile(file.path), {
    ...visitor,
    onRead(bytes) {
      visitor.onRead(bytes - before);
      before = bytes;
    },
  });
}

export interface ProbedModel {
  readonly crsText: string | undefined;
  /** x and y of a position in the CRS; undefined if there is none. */
  readonly position: readonly [x: number, y: number] | undefined;
  /** The CRS that tells what heights count from, if it is another one. */
  readonly verticalText?: string | undefined;
}

class EnoughRead extends Error {}

/** Reads up to the first object with a geometry: where the model is. @throws SourceError */
export async function probeModel(file: ModelFile): Promise<ProbedModel> {
  let position: ProbedModel['position'];
  let crsText: string | undefined;
  const onObject = ({ geometries }: CityObject): void => {
    const first = geometries.find(({ surfaces }) => surfaces.positionCount > 0);
    const [x, y] = first?.anchor ?? first?.surfaces.positions ?? [];
    if (x === undefined || y === undefined) return;
    position = [x, y];
    throw new EnoughRead();
  };
  try {
    await readModel(file, {
      hasAppearances: false,
      theme: undefined,
      translate: undefined,
      onCrs: (name) => (crsText ??= name),
      onObject,
      onNotice: () => {},
      onRead: () => {},
    });
  } catch (error) {
    if (!(error instanceof EnoughRead)) throw error;
  }
  return { crsText, position };
}
