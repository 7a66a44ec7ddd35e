import { oneOf } from './schema.ts';

/** The tools that an app can offer its visitors, in the order of their buttons. */
export const toolNames = [
  'search',
  'measurement',
  'draw',
  'heightProfile',
  'shadow',
  'swipe',
  'multiView',
  'print',
  'createLink',
] as const;

export const ToolName = oneOf(toolNames, 'A tool for visitors of the map');
export type ToolName = (typeof toolNames)[number];
