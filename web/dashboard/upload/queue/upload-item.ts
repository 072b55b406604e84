/**
 * `checking` compares with what is stored, `conflict` and `paused` wait for somebody's word, `stored` is
 * committed and not delivered yet, `unchanged` was there before.
 */
export type UploadState =
  | 'checking'
  | 'conflict'
  | 'queued'
  | 'sending'
  | 'paused'
  | 'stored'
  | 'live'
  | 'unchanged'
  | 'skipped'
  | 'cancelled'
  | 'failed'

export interface UploadItem {
  readonly id: number
  /** `<zone>/v1/…`. */
  readonly path: string
  readonly file: Blob
  readonly state: UploadState
  readonly sentBytes: number
  /** What went wrong, where something did. */
  readonly fault: string | undefined
  /** By which the service knows what was begun with it. */
  readonly uploadId: string | undefined
  /** By which the browser finds the file again after a reload. */
  readonly handle: FileSystemFileHandle | undefined
}

const finished: ReadonlySet<UploadState> = new Set([
  'live',
  'stored',
  'unchanged',
  'skipped',
  'cancelled',
  'failed',
])

export const isFinished = ({ state }: Pick<UploadItem, 'state'>): boolean => finished.has(state)

/** What the service takes in one request. */
export const maxRequestBytes = 26_214_400
