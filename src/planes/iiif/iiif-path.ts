/** What stands below `/iiif/3/`, in its parts; none of them is decoded. */
export interface IiifPath {
  readonly identifier: string
  /** None, `info.json`, or region, size, rotation and quality with format. */
  readonly rest: readonly string[]
}

const lastSegments = 4
/** A rotation and a file: by these an image is told from a longer identifier. */
const endOfImage = /^(?:!|%21)?[\d.]+\/(?:default|color|gray)\.\w+$/u

/**
 * An identifier is one segment, with its slashes as `%2F`. Many a proxy decodes them on the way, so one
 * that has its slashes is taken as well: behind the zone stands `v1` then.
 */
export function readIiifPath(path: string): IiifPath {
  // Clients of the interface escape a parameter as a whole.
  const segments = (path.includes('/') ? path : path.replaceAll(/%2f/giu, '/')).split('/')
  const [first = '', ...rest] = segments
  if (rest[0] !== 'v1') return { identifier: first, rest }
  if (segments.at(-1) === 'info.json')
    return { identifier: segments.slice(0, -1).join('/'), rest: ['info.json'] }
  if (!endOfImage.test(segments.slice(-2).join('/'))) return { identifier: path, rest: [] }
  return {
    identifier: segments.slice(0, -lastSegments).join('/'),
    rest: segments.slice(-lastSegments),
  }
}
