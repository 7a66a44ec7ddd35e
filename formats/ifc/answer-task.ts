import { BytesError } from '../bytes/bytes.ts';
import type { Attributes } from '../city-object/city-object.ts';
import type { MeshNotice } from '../mesh-model/mesh-model.ts';
import type { ModelPlace } from '../mesh-model/model-place.ts';
import { createAttributeReader } from './ifc-attributes.ts';
import { textOf } from './ifc-lines.ts';
import { IfcFault, openIfcModel, type IfcModel, type IfcPart } from './ifc-model.ts';
import { placeOf } from './ifc-place.ts';
import { shapeOf } from './ifc-shape.ts';

/** Products of a file from one on. */
export interface IfcTask {
  readonly content: Uint8Array;
  readonly first: number;
}

export interface IfcProduct {
  readonly name: string;
  /** Such as `IfcWall`. */
  readonly class: string;
  readonly attributes: Attributes;
  /** None if it has no shape. */
  readonly parts: readonly IfcPart[];
}

export interface IfcContents {
  /** Such as `IFC4`. */
  readonly schema: string;
  /** The numbers of the instances that may have a shape. */
  readonly products: readonly number[];
  readonly place: ModelPlace | undefined;
}

type Notice = readonly [notice: MeshNotice, detail: string];

/** What a thread sends: the contents, each product, and how it ended. */
export type IfcAnswer =
  | { readonly kind: 'contents'; readonly contents: IfcContents }
  | { readonly kind: 'product'; readonly product: IfcProduct; readonly notices: readonly Notice[] }
  | { readonly kind: 'end' }
  /** web-ifc failed: its memory may be in disorder now. */
  | { readonly kind: 'trapped' }
  | { readonly kind: 'failed'; readonly message: string };

type Send = (answer: IfcAnswer) => void;

/** Reads a file, and sends what is in it. */
export async function answerTask({ content, first }: IfcTask, send: Send): Promise<void> {
  try {
    const model = await openIfcModel(content);
    send({
      kind: 'contents',
      contents: { schema: model.schema, products: model.products, place: placeOf(model) },
    });
    for (const answer of productsFrom(model, first)) send(answer);
    model.close();
    send({ kind: 'end' });
  } catch (error) {
    if (error instanceof BytesError) send({ kind: 'failed', message: error.message });
    else if (error instanceof IfcFault) send({ kind: 'trapped' });
    else throw error;
  }
}

function* productsFrom(model: IfcModel, first: number): Generator<IfcAnswer, void> {
  const attributesOf = createAttributeReader(model);
  for (const id of model.products.slice(first)) {
    const notices: Notice[] = [];
    const parts = shapeOf(model, id, (...notice) => notices.push(notice));
    const name = textOf(model.lineOf(id)?.['GlobalId']) ?? '';
    const attributes: Attributes = parts.length === 0 ? new Map() : attributesOf(id);
    yield { kind: 'product', product: { name, class: model.typeOf(id), attributes, parts }, notices };
  }
}
