import { conditionOf, type Watch } from '../watch.ts'

export interface DiskSpace {
  readonly freeBytes: number
  readonly sizeBytes: number
}

interface Dependencies {
  readonly space: () => Promise<DiskSpace>
  /** Below this share of the disk somebody should know. */
  readonly warnPercent: number
}

/** Below half of the share it is urgent, and wherever writes are about to fail. */
const alarmBytes = 512 * 2 ** 20

/** The disk of the data directory. */
export function watchDisk({ space, warnPercent }: Dependencies): Watch {
  return {
    kinds: ['disk'],
    async look() {
      const { freeBytes, sizeBytes } = await space()
      const percent = (freeBytes / Math.max(1, sizeBytes)) * 100
      const isUrgent = percent < warnPercent / 2 || freeBytes < alarmBytes
      if (percent >= warnPercent && freeBytes >= alarmBytes) return []
      return [
        conditionOf({
          kind: 'disk',
          severity: isUrgent ? 'critical' : 'warning',
          // Whole numbers, so that it is not another text every minute.
          detail: `${Math.floor(percent)} % of the disk of the data directory are free, ${Math.floor(freeBytes / 2 ** 30)} GiB. When it is full, uploads are refused.`,
        }),
      ]
    },
  }
}
