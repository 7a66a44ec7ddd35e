import { Type, type Static } from 'typebox';
import { FreeForm, Id, strict } from './schema.ts';

const LayerNames = (what: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: 200, description: what });

export const StoryPicture = strict({
  datasourceId: Type.Optional({
    ...Id,
    description: 'Datasource of the project whose file is the picture',
  }),
  url: Type.Optional(
    Type.String({
      maxLength: 2000,
      pattern: '^(?:https://|/data/)',
      description:
        'Address of the picture: `https://…`, or with `datasourceId` a path within it; the page may load it from there',
    }),
  ),
  alt: Type.Optional(
    Type.String({ maxLength: 300, description: 'What the picture shows, for those who cannot see it' }),
  ),
});

/** A place of a story, and what is said about it. */
export const StoryStep = strict({
  title: Type.String({ minLength: 1, maxLength: 200 }),
  text: Type.Optional(
    Type.String({ maxLength: 5000, description: 'Plain text; an empty line starts a new paragraph' }),
  ),
  viewpoint: Type.Optional({
    ...FreeForm,
    description: 'Viewpoint in WGS 84 that the map flies to; without it, the map stays where it is',
  }),
  picture: Type.Optional(StoryPicture),
  show: Type.Optional(LayerNames('Layers that the step switches on')),
  hide: Type.Optional(LayerNames('Layers that the step switches off')),
});
export type StoryStep = Static<typeof StoryStep>;

/** Places of a map in an order, told one after the other. */
export const Story = strict({
  steps: Type.Array(StoryStep, { maxItems: 100, description: 'Empty: there is no story' }),
  seconds: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 600,
      description: 'How long a step lasts when the story plays by itself; 8 if absent',
    }),
  ),
});
export type Story = Static<typeof Story>;
