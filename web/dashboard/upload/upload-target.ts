/** Where files go: a zone, and a folder below it. */
export interface UploadTarget {
  /** `''`: nobody has said. */
  readonly zone: string
  readonly folder: string
}

const key = 'sedge.upload-target'
const usualFolder = 'icons'

/** The place of the last upload from this browser. */
export function lastTarget(): UploadTarget {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    const { zone, folder } = kept as Partial<Record<keyof UploadTarget, unknown>>
    return {
      zone: typeof zone === 'string' ? zone : '',
      folder: typeof folder === 'string' ? folder : usualFolder,
    }
  } catch {
    return { zone: '', folder: usualFolder }
  }
}

export function keepTarget(target: UploadTarget): void {
  try {
    localStorage.setItem(key, JSON.stringify(target))
  } catch {
    // A browser that keeps nothing asks each time.
  }
}

/** `<zone>/v1/<folder>/…`. */
export const pathIn = ({ zone, folder }: UploadTarget, relativePath: string): string =>
  [zone, 'v1', ...folder.split('/').filter((name) => name !== ''), relativePath].join('/')
