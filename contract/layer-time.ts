import { Type, type Static } from 'typebox';
import { oneOf, strict } from './schema.ts';

export const timeSteps = ['year', 'month', 'day', 'hour'] as const;
export type TimeStep = (typeof timeSteps)[number];

const Attribute = Type.String({ minLength: 1, maxLength: 200 });
const Moment = Type.String({ maxLength: 40, description: 'ISO 8601: a year, month, day, or a time in UTC' });

/** When the features of a layer are shown by the time slider: `properties.time` of the layer. */
export const LayerTime = strict({
  attribute: { ...Attribute, description: 'Since when: a date, a year, or milliseconds since 1970' },
  until: Type.Optional({ ...Attribute, description: 'Attribute with the end; no value: still there' }),
  shows: Type.Optional(
    oneOf(
      ['untilThen', 'during'],
      'Without `until`: all features up to the chosen time, or only those of the chosen year, month, day or hour; `untilThen` if absent',
    ),
  ),
  from: { ...Moment, description: 'Where the slider begins' },
  to: { ...Moment, description: 'Where the slider ends' },
  step: oneOf(timeSteps, 'How far the slider moves'),
});
export type LayerTime = Static<typeof LayerTime>;
