import type { JsonSchema } from '../../ui/json-editor/json-schema.ts';

const colour: JsonSchema = { type: 'string' };
const fill: JsonSchema = { type: 'object', properties: { color: colour } };
const stroke: JsonSchema = {
  type: 'object',
  properties: {
    color: colour,
    width: { type: 'number' },
    lineDash: { type: 'array', items: { type: 'number' } },
  },
};
const expression: JsonSchema = {
  anyOf: [
    { type: 'string' },
    { type: 'object', properties: { conditions: { type: 'array', items: { type: 'array' } } } },
  ],
};

/** A style, inline or as an item of the module. */
export const styleSchema: JsonSchema = {
  type: 'object',
  properties: { type: { enum: ['VectorStyleItem', 'DeclarativeStyleItem'] } },
  anyOf: [
    {
      properties: {
        type: { const: 'VectorStyleItem' },
        fill,
        stroke,
        image: {
          type: 'object',
          properties: {
            radius: { type: 'number' },
            src: { type: 'string' },
            scale: { type: 'number' },
            fill,
            stroke,
          },
        },
        label: { type: 'string' },
        text: {
          type: 'object',
          properties: {
            font: { type: 'string' },
            fill,
            stroke,
            textAlign: { enum: ['left', 'center', 'right'] },
            textBaseline: { enum: ['top', 'middle', 'bottom'] },
            offsetX: { type: 'number' },
            offsetY: { type: 'number' },
          },
        },
      },
    },
    {
      properties: {
        type: { const: 'DeclarativeStyleItem' },
        declarativeStyle: {
          type: 'object',
          properties: {
            color: expression,
            show: expression,
            pointSize: expression,
            extrudedHeight: expression,
            strokeColor: expression,
            strokeWidth: expression,
            labelText: expression,
            defines: { type: 'object' },
          },
        },
      },
    },
  ],
};
