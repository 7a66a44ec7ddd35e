/** @param fault in words that follow a colon, as BytesError has them */
export function damage(file: string, fault: string): string {
  return `${file} is damaged: ${fault}. Upload it again, or have it made anew.`;
}
