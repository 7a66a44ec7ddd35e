// Moved: what the service imports stands outside this folder, which is for drawing the tiles.
export { worldMaxZoom, worldModule, worldTilesPath } from '../world-module.ts';
