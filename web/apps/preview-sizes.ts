export const previewSizes = {
  desktop: { width: 1280, height: 800 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
} as const;
export type PreviewSize = keyof typeof previewSizes;

/** The factor that fits a screen of this size into the space; at most 1. */
export function scaleOf(
  size: PreviewSize,
  room: { readonly width: number; readonly height: number },
): number {
  const { width, height } = previewSizes[size];
  return Math.min(1, room.width / width, room.height / height);
}
