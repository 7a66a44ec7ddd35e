import { useI18n } from 'vue-i18n';
import { formatBytes, formatDuration } from '../i18n/format.ts';
import type { UploadItem } from './upload-item.ts';

/** The texts about uploads. */
export function useUploadTexts() {
  const { t } = useI18n();
  /** “48 MB/s”, “1 min 40 s left”; empty while nothing is being sent. */
  const rateAndLeft = (rate: number, bytesLeft: number): string[] =>
    rate <= 0
      ? []
      : [
          t('uploads.rate', { rate: formatBytes(rate) }),
          t('uploads.left', { time: formatDuration((bytesLeft * 1000) / rate) }),
        ];

  function stateOf({ state, rate, sent, file, address }: UploadItem): string {
    if (state === 'running') return rateAndLeft(rate, file.size - sent).join(' · ') || t('uploads.running');
    if (state === 'paused') return t(address === undefined ? 'uploads.paused' : 'uploads.pausedResumable');
    return t(`uploads.${state}`);
  }
  return { rateAndLeft, stateOf };
}
