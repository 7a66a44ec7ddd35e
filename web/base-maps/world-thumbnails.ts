/** Pictures of the world maps, made by viewer/basemap/draw-thumbnails.ts. */
export const worldThumbnails: Readonly<Record<string, string>> = {
  'world-light': new URL('./thumbnails/world-light.webp', import.meta.url).href,
  'world-grey': new URL('./thumbnails/world-grey.webp', import.meta.url).href,
  'world-dark': new URL('./thumbnails/world-dark.webp', import.meta.url).href,
};
